/** One block of the conversation as rows. Every row carries a mark in its gutter, so that no text can pass for ours. */

import { formatBytes, formatElapsed } from '../../base/duration.js';
import type { Row, Segment, Style } from '../../base/style.js';
import { type Visible, visibleLine } from '../../base/visible.js';
import { padEnd, truncate } from '../../base/width.js';
import { attachmentText } from '../attachment-words.js';
import type { Theme } from '../theme.js';
import type { Block, NoticeLevel } from '../transcript.js';
import { runningFor } from './elapsed.js';
import { type Mark, markedLines } from './find.js';
import { type LaidOut, type Line, layOut, segmentsWidth, textLines, wrapLine } from './lines.js';
import { type Lex, markdownLines } from './markdown.js';
import { toolLines } from './tool-card.js';

/** All that the rows of a block depend on. */
export interface BlockLook {
  readonly width: number;
  readonly expanded: boolean;
  readonly selected: boolean;
  /** Only its first line: the rest of an answer, or what follows a prompt, is folded away. */
  readonly outlined: boolean;
  /** The first block of all has no blank row above it. */
  readonly first: boolean;
  /** Of the second that is shown; rows that show no time do not depend on it. */
  readonly nowMs: number;
  readonly lex: Lex | null;
  readonly theme: Theme;
  /** What is searched for, in a block that holds it. */
  readonly mark: Mark | null;
}

/** The lines of a block, and how its first row is marked in the gutter. */
export interface BlockLines {
  readonly lines: readonly Line[];
  readonly glyph: string;
  readonly style: Style;
  /** With a blank row above. */
  readonly spaced: boolean;
}

/** Cells of the gutter. */
export const gutterCells = 2;
/** A prompt longer than this is folded: what was pasted need not be read again. */
const PROMPT_LINES = 20;
/** Even expanded, nobody reads a pasted megabyte here. */
const EXPANDED_LINES = 2000;
/** Rows of thinking that are seen while it goes on. */
const THINKING_ROWS = 3;

/** The rows of `block`. */
export function blockRows(block: Block, look: BlockLook): LaidOut {
  const { lines, glyph, style, spaced } = blockLines(block, look);
  const marked = look.mark === null ? lines : markedLines(lines, look.mark, look.theme);
  const first: Segment = { text: padEnd(glyph, gutterCells) as Visible, style };
  const rest: Segment = { text: '┊ ' as Visible, style: look.theme.styles.border };
  const laid = layOut(marked.length > 0 ? marked : [{ segments: [] }], look.width, first, rest);
  if (!spaced || look.first) return laid;
  const blank: Row = { segments: [] };
  return { rows: [blank, ...laid.rows], keys: [-1, ...laid.keys] };
}

/** The lines of `block` before they are wrapped: what is searched. */
export function blockLines(block: Block, look: BlockLook): BlockLines {
  const { styles } = look.theme;
  const width = Math.max(1, look.width - gutterCells);
  const one = (text: string, style: Style): readonly Line[] => [{ segments: [{ text: visibleLine(text), style }] }];
  switch (block.kind) {
    case 'user': {
      const brought = (block.attached ?? []).flatMap((part) => one(`+ ${attachmentText(part)}`, styles.muted));
      const lines = look.outlined
        ? outlineLines(block.text, width, look.theme, styles.user_text)
        : [...promptLines(block.text, look), ...brought];
      return { lines, glyph: block.steered ? '↳' : '●', style: styles.accent, spaced: !look.outlined };
    }
    case 'assistant': {
      if (look.outlined) {
        const lines = outlineLines(plainStart(block.text), width, look.theme, styles.text);
        return { lines, glyph: '◆', style: styles.agent_label, spaced: true };
      }
      const drawn = markdownLines(block.text, look.lex, width, look.theme, block.within);
      const lines = block.continued && !block.tight ? [{ segments: [] }, ...drawn] : drawn;
      const cutShort = block.incomplete ? one('— interrupted —', styles.warning) : [];
      return { lines: [...lines, ...cutShort], glyph: block.continued ? '┊' : '◆', style: styles.agent_label, spaced: !block.continued };
    }
    case 'reasoning':
      return { lines: reasoningLines(block, look, width), glyph: '∴', style: styles.reasoning_label, spaced: false };
    case 'tool': {
      const style = look.selected ? styles.selected : styles.tool_call_glyph;
      return { lines: toolLines(block, look.expanded, look.nowMs, width, look.theme), glyph: '▶', style, spaced: false };
    }
    case 'notice': {
      const style = block.level === 'info' ? styles.text : styles[block.level];
      return { lines: textLines(block.text, style), glyph: glyphs[block.level], style, spaced: false };
    }
    case 'retry':
      return { lines: one(retryText(block, look.nowMs), styles.warning), glyph: '↻', style: styles.warning, spaced: false };
    case 'mark':
      return { lines: [ruleLine(block.text, width, look.theme)], glyph: '──', style: styles.border, spaced: true };
    case 'banner':
      return { lines: textLines(block.text, styles.banner), glyph: '▌', style: styles.banner, spaced: false };
  }
}

const glyphs: Readonly<Record<NoticeLevel, string>> = { info: '·', warning: '!', error: '✗' };

/** Does what this block shows change with time alone? */
export function isTicking(block: Block): boolean {
  if (block.kind === 'tool') return block.status === 'running';
  if (block.kind === 'reasoning') return block.endedMs === null;
  return block.kind === 'retry' && !block.over;
}

function promptLines(text: string, look: BlockLook): readonly Line[] {
  const style = look.theme.styles.user_text;
  const most = look.expanded ? EXPANDED_LINES : PROMPT_LINES;
  const shown = text.slice(0, most * 400).split('\n', most);
  const kept = shown.join('\n');
  if (kept.length === text.length) return textLines(text, style);
  const hidden = `… ${text.slice(kept.length).split('\n').length} more lines`;
  return [...textLines(kept, style), { segments: [{ text: visibleLine(hidden), style: look.theme.styles.muted }] }];
}

/** Where an answer begins, without the signs of markdown. */
function plainStart(text: string): string {
  const words =
    text
      .slice(0, 2000)
      .split('\n')
      .find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  return words.replace(/^[\s#>*+-]+|[*_`]+/g, '');
}

function outlineLines(text: string, width: number, theme: Theme, style: Style): readonly Line[] {
  const head = visibleLine(text.trim().slice(0, 400).split('\n', 1)[0] ?? '');
  return [
    {
      segments: [
        { text: truncate(head, Math.max(1, width - 3)) as Visible, style },
        { text: ' ⋯' as Visible, style: theme.styles.muted },
      ],
      hard: true,
    },
  ];
}

function reasoningLines(block: Extract<Block, { kind: 'reasoning' }>, look: BlockLook, width: number): readonly Line[] {
  const style = look.theme.styles.reasoning_label;
  const size = formatBytes(block.text.length);
  const say = (text: string): Line => ({ segments: [{ text: visibleLine(text), style: look.theme.styles.reasoning_label }] });
  const live = block.endedMs === null;
  const elapsedMs = (block.endedMs ?? 0) - block.startedMs;
  const head = live
    ? `thinking · ${runningFor(block.startedMs, look.nowMs)} · ${size}`
    : `${elapsedMs < 1000 ? 'thought' : `thought for ${formatElapsed(elapsedMs)}`} · ${size}`;
  if (block.text.trim() === '') return [say(live ? head : 'thought')];
  if (look.expanded) return [say(head), ...textLines(block.text.trim(), style)];
  return live ? [say(head), ...lastRows(block.text, THINKING_ROWS, width, style)] : [say(head)];
}

/** The last rows of a text that is growing. */
function lastRows(text: string, count: number, width: number, style: Style): readonly Line[] {
  const cells = count * width;
  const end = text.slice(-4 * cells).trim();
  const rows: Line[] = [];
  for (const line of textLines(end, style)) {
    if (line.segments.length > 0) wrapLine(line, width, (segments) => rows.push({ segments, hard: true }));
  }
  return rows.slice(-count);
}

/** Words in the middle of a line across the pane. */
function ruleLine(text: string, width: number, theme: Theme): Line {
  const words: Segment = { text: visibleLine(` ${truncate(visibleLine(text), Math.max(1, width - 6))} `), style: theme.styles.muted };
  const free = Math.max(0, width - segmentsWidth([words]));
  const rule = (cells: number): Segment => ({ text: '─'.repeat(cells) as Visible, style: theme.styles.border });
  return { segments: [rule(Math.min(1, free)), words, rule(Math.max(0, free - 1))].filter((part) => part.text !== ''), hard: true };
}

function retryText(block: Extract<Block, { kind: 'retry' }>, nowMs: number): string {
  const left = Math.max(0, Math.ceil((block.atMs - nowMs) / 1000));
  const tries = `attempt ${block.attempt + 1}${block.attempts === null ? '' : ` of ${block.attempts}`}`;
  if (block.over) return `tried again (${tries}): ${block.reason}`;
  return left > 0 ? `trying again in ${left} s (${tries}): ${block.reason}` : `trying again now (${tries}): ${block.reason}`;
}
