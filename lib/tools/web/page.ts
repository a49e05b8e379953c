/** Reading a page of HTML: its article as markdown where it has one, else all of it. Runs in the worker; hostile pages are its daily bread. */

import { isProbablyReaderable, Readability } from '@mozilla/readability';
import jsdom from 'jsdom';
import { type DomDocument, plainText } from './dom.js';
import { markdownOf } from './markdown.js';

/** A page as it is read. */
export interface ReadPage {
  readonly title: string;
  readonly markdown: string;
  /** `article`: what surrounded it was left out. */
  readonly part: 'article' | 'page';
}

/** More elements are not searched for an article. */
const MOST_ELEMENTS = 10_000;
/** An article that is less of the page than this is more likely a wrong guess. */
const LEAST_SHARE = 0.2;

/** The page as a document: no script of it runs and nothing that it names is loaded. */
export function openPage(html: string, url: string): DomDocument {
  return new jsdom.JSDOM(html, { url, virtualConsole: new jsdom.VirtualConsole() }).window.document;
}

/** The page for a model; unless `asWhole`, its article alone where it has one. */
export function readPage(html: string, url: string, asWhole = false): ReadPage {
  const document = openPage(html, url);
  const base = document.baseURI;
  const { body } = document;
  const title = plainText({ nodeType: 3, textContent: document.title, childNodes: [] });
  if (body === null) return { title, markdown: '', part: 'page' };
  const whole = markdownOf(body, base);
  const article = asWhole ? null : articleOf(document, base);
  if (article !== null && article.length >= whole.length * LEAST_SHARE) return { title, markdown: article, part: 'article' };
  return { title, markdown: whole, part: 'page' };
}

/** Last: it takes the document apart. */
function articleOf(document: DomDocument, base: string): string | null {
  if (!isProbablyReaderable(document)) return null;
  try {
    const found = new Readability(document, { serializer: (element) => element, maxElemsToParse: MOST_ELEMENTS }).parse();
    return found?.content ? markdownOf(found.content, base) : null;
  } catch {
    // Too many elements, or a page that it cannot take apart: all of it is read then.
    return null;
  }
}
