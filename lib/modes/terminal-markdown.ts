/** Markdown for a terminal without the dashboard: what exec prints when a person is looking. Loaded only then (it is slow to load). */

import { Marked } from 'marked';
import { markedTerminal } from 'marked-terminal';
import type { Visible } from '../base/visible.js';

/** `text` with headings, lists, tables and code in the terminal's own styles, at most `columns` wide. The text must have passed `visible()`: only our own escapes are added. */
export function renderMarkdown(text: Visible, columns: number): string {
  const renderer = markedTerminal({ width: columns, reflowText: true, tab: 2 });
  const rendered = new Marked(renderer as Parameters<Marked['use']>[0]).parse(text, { async: false });
  return rendered.trimEnd();
}
