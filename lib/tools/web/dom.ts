/** The few words of the DOM (WHATWG DOM Standard) that reading a page takes, and how a page becomes one. */

/** A node: an element, or text (nodeType 3). */
export interface DomNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
}

/** An element. */
export interface DomElement extends DomNode {
  /** Capital letters. */
  readonly tagName: string;
  readonly children: Iterable<DomElement>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/** A page. */
export interface DomDocument extends DomElement {
  readonly title: string;
  readonly body: DomElement | null;
  /** Relative addresses are meant from here. */
  readonly baseURI: string;
}

/** Is it an element? */
export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}

/** The text in it, blanks collapsed. */
export function plainText(node: DomNode | null): string {
  return (node?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
