/** What stands on a page of results of DuckDuckGo without scripts (html.duckduckgo.com), found by its selectors. */

import { type DomDocument, type DomElement, plainText } from './dom.js';

/** One result. Its texts are a stranger's. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** What the page was. `unknown`: it is not built as such pages were, and nothing can be said of results. */
export type ResultPage =
  | { readonly kind: 'results'; readonly results: readonly FoundPage[] }
  | { readonly kind: 'none' }
  /** It wants a person to prove that they are one. */
  | { readonly kind: 'challenge' }
  | { readonly kind: 'unknown' };

/** The results on `document`; advertisements are left out. */
export function duckDuckGoResults(document: DomDocument): ResultPage {
  if (document.querySelector('.anomaly-modal__title, #challenge-form, form[action*="anomaly"]') !== null) return { kind: 'challenge' };
  const boxes = [...document.querySelectorAll('.result')].filter(
    (box) => !isAdvertisement(box) && !/\bresult--no-result\b/.test(classes(box)),
  );
  const results = boxes.flatMap((box) => resultIn(box, document.baseURI));
  if (results.length > 0) return { kind: 'results', results };
  if (document.querySelector('.no-results, .result--no-result, .no-results-message') !== null) return { kind: 'none' };
  // Boxes without links, or a page with neither boxes nor a word about it: the layout is another one.
  return { kind: 'unknown' };
}

function classes(element: DomElement): string {
  return element.getAttribute('class') ?? '';
}

function isAdvertisement(box: DomElement): boolean {
  return /\bresult--ad\b/.test(classes(box));
}

function resultIn(box: DomElement, base: string): readonly FoundPage[] {
  const link = box.querySelector('a.result__a');
  const url = unwrapped(link?.getAttribute('href') ?? '', base);
  const title = plainText(link);
  if (url === null || title === '') return [];
  return [{ title, url, snippet: plainText(box.querySelector('.result__snippet')) }];
}

/** Where a link of DuckDuckGo really leads (`/l/?uddg=…`); null for none of the web and for its own advertisements. */
export function unwrapped(link: string, base: string): string | null {
  if (link === '' || !URL.canParse(link, base)) return null;
  const url = new URL(link, base);
  const isTheirs = /(^|\.)duckduckgo\.com$/.test(url.hostname);
  const inner = isTheirs && url.pathname === '/l/' ? url.searchParams.get('uddg') : null;
  if (inner !== null) return unwrapped(inner, base);
  if (isTheirs && url.pathname === '/y.js') return null;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
