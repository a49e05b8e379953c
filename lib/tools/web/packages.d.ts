/** The parts of jsdom and readability that are used, in the words of dom.ts: their own types would bring the globals of a browser. */

declare module 'jsdom' {
  import type { DomDocument } from './dom.js';

  export class VirtualConsole {}
  export class JSDOM {
    constructor(html: string, options: { readonly url: string; readonly virtualConsole: VirtualConsole });
    readonly window: { readonly document: DomDocument; close(): void };
  }
}

declare module '@mozilla/readability' {
  import type { DomDocument, DomElement } from './dom.js';

  export class Readability {
    constructor(
      document: DomDocument,
      options: { readonly serializer: (element: DomElement) => DomElement; readonly maxElemsToParse: number },
    );
    parse(): { readonly title: string | null; readonly content: DomElement | null; readonly byline: string | null } | null;
  }
  export function isProbablyReaderable(document: DomDocument): boolean;
}
