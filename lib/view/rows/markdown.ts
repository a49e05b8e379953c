/** Markdown to lines: marked's block tokens, drawn for a terminal. Whatever cannot be read as markdown is shown as it is. */

import type { Token, Tokens } from 'marked';
import { plain, type Segment, type Style } from '../../base/style.js';
import { type Visible, visibleLine } from '../../base/visible.js';
import type { Theme } from '../theme.js';
import { codeLines } from './highlight.js';
import { inlineLines, over } from './inline.js';
import { flat, type Line, textLines } from './lines.js';
import type { Within } from './split.js';
import { tableLines } from './table.js';

/** marked's lexer: GitHub's dialect, tokens only. */
export type Lex = (markdown: string) => readonly Token[];

/** The lexer, loaded when it is wanted: marked is not on the way to the first picture. */
export async function loadMarkdown(): Promise<Lex> {
  const { lexer } = await import('marked');
  return (markdown) => lexer(markdown, { gfm: true });
}

/** Above this a text is shown unformatted: lexing is not linear for every text. Answers come in pieces that are far shorter. */
const LONGEST = 64_000;
/** Lists and quotes nested deeper than people nest them: any recursive reader would exhaust the stack on some of them. */
const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){60}/m;

/** The lines of `markdown` for `width` cells (tables and rules depend on it), which is a piece of an answer cut `within` something. */
export function markdownLines(
  markdown: string,
  lex: Lex | null,
  width: number,
  theme: Theme,
  within: Within | null = null,
): readonly Line[] {
  const base = theme.styles.text;
  if (lex === null || markdown.length > LONGEST || NESTED.test(markdown)) return textLines(markdown, base);
  try {
    const tokens = lex(within === null || within.opening === '' ? markdown : `${within.opening}\n${markdown}`);
    return trimmed(blockLines(goingOn(tokens, within), width, theme, base));
  } catch {
    // Whatever a reader cannot read is best shown as it is.
    return textLines(markdown, base);
  }
}

/** The first token of a piece goes on with what the piece before was in: numbers go on, a language is not named again. */
function goingOn(tokens: readonly Token[], within: Within | null): readonly Token[] {
  const [first, ...others] = tokens;
  if (within?.kind === 'list' && first?.type === 'list' && first['ordered'] === true && within.items > 0) {
    // Numbers that count up are the author's own; where each item says 1. they are ours.
    const own = typeof first['start'] === 'number' ? first['start'] : 1;
    return [{ ...first, start: Math.max(own, within.items + 1) }, ...others];
  }
  if (within?.kind === 'fence' && first?.type === 'code') return [{ ...first, unnamed: true }, ...others];
  return tokens;
}

function trimmed(lines: readonly Line[]): readonly Line[] {
  const blank = (line: Line) => line.segments.length === 0 && line.lead === undefined;
  let end = lines.length;
  while (end > 0 && blank(lines[end - 1] ?? { segments: [] })) end--;
  return lines.slice(0, end);
}

function blockLines(tokens: readonly Token[], width: number, theme: Theme, base: Style): Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    const drawn = oneBlock(token, width, theme, base);
    if (token.type === 'heading' && lines.length > 0 && lines[lines.length - 1]?.segments.length !== 0) lines.push({ segments: [] });
    for (const line of drawn) lines.push(line);
  }
  return lines;
}

function oneBlock(token: Token, width: number, theme: Theme, base: Style): readonly Line[] {
  const { styles } = theme;
  switch (token.type) {
    case 'space':
      return token.raw.split('\n').length > 2 ? [{ segments: [] }] : [];
    case 'heading': {
      const style = over(base, styles.markdown_heading);
      const mark = { text: visibleLine(`${'#'.repeat(token['depth'])} `), style };
      return [...inlineLines(token.tokens ?? [], theme, style).map((line) => ({ ...line, lead: [mark] })), ...gap(token)];
    }
    case 'paragraph':
    case 'text':
      return [...inlineLines(token.tokens ?? [token], theme, base), ...gap(token)];
    case 'list':
      return [...listLines(token as Tokens.List, width, theme, base), ...gap(token)];
    case 'blockquote': {
      const bar: Segment = { text: visibleLine('▌ '), style: styles.markdown_marker };
      const inner = trimmed(blockLines(token.tokens ?? [], width - 2, theme, over(base, styles.markdown_quote)));
      return [...inner.map((line) => indented(line, [bar], [bar])), ...gap(token)];
    }
    case 'code':
      return [...fenceLines(token as Tokens.Code, theme), ...gap(token)];
    case 'table':
      return [...tableLines(token as Tokens.Table, width, theme, base), ...gap(token)];
    case 'hr':
      return [{ segments: [{ text: '─'.repeat(Math.max(1, width)) as Visible, style: styles.border }] }];
    case 'checkbox':
      return [];
    case 'def':
      return textLines(token.raw.trimEnd(), over(base, styles.muted));
    default:
      return textLines(token.raw.trimEnd(), base);
  }
}

/** marked keeps the blank line after some blocks inside their raw text instead of giving a `space`. */
function gap(token: Token): readonly Line[] {
  return /\n[ \t]*\n\s*$/.test(token.raw) ? [{ segments: [] }] : [];
}

function indented(line: Line, lead: readonly Segment[], hang: readonly Segment[]): Line {
  return { ...line, lead: [...lead, ...(line.lead ?? [])], hang: [...hang, ...(line.hang ?? line.lead ?? [])] };
}

function fenceLines(token: Tokens.Code, theme: Theme): readonly Line[] {
  const edge: Segment = { text: visibleLine('  '), style: plain };
  const info = token.lang ?? '';
  const label: Line = { segments: [{ text: flat(info), style: theme.styles.muted }], lead: [edge] };
  const named = info !== '' && !('unnamed' in token);
  return [...(named ? [label] : []), ...codeLines(token.text, info, theme).map((line) => ({ ...line, lead: [edge] }))];
}

function listLines(list: Tokens.List, width: number, theme: Theme, base: Style): readonly Line[] {
  const start = typeof list.start === 'number' ? list.start : 1;
  const digits = String(start + list.items.length - 1).length;
  return list.items.flatMap((item, i) => {
    const bullet = list.ordered ? `${String(start + i).padStart(digits)}. ` : '• ';
    const box = item.task ? (item.checked === true ? '☑ ' : '☐ ') : '';
    const text = visibleLine(bullet + box);
    const lead: Segment = { text, style: theme.styles.markdown_marker };
    const hang: Segment = { text: ' '.repeat(text.length) as Visible, style: plain };
    const drawn = blockLines(item.tokens, width - text.length, theme, base);
    const inner = list.loose && i < list.items.length - 1 ? [...trimmed(drawn), { segments: [] }] : trimmed(drawn);
    const lines = inner.length > 0 ? inner : [{ segments: [] }];
    return lines.map((line, n) => indented(line, [n === 0 ? lead : hang], [hang]));
  });
}
