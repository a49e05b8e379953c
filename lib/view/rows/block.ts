/** One block of the conversation as rows. Every row carries a mark in its gutter, so that no text can pass for ours. */

import { formatElapsed } from '../../base/duration.js';
import type { Row, Segment, Style } from '../../base/style.js';
import { type Visible, visibleLine } from '../../base/visible.js';
import type { Theme } from '../theme.js';
import type { Block, NoticeLevel } from '../transcript.js';
import { type LaidOut, type Line, layOut, textLines } from './lines.js';
import { type Lex, markdownLines } from './markdown.js';
import { toolLines } from './tool-card.js';

/** All that the rows of a block depend on. */
export interface BlockLook {
  readonly width: number;
  readonly expanded: boolean;
  readonly selected: boolean;
  /** The first block of all has no blank row above it. */
  readonly first: boolean;
  /** Of the second that is shown; rows that show no time do not depend on it. */
  readonly nowMs: number;
  readonly lex: Lex | null;
  readonly theme: Theme;
}

/** Cells of the gutter. */
export const gutterCells = 2;
/** A prompt longer than this is folded: what was pasted need not be read again. */
const PROMPT_LINES = 20;
/** Even expanded, nobody reads a pasted megabyte here. */
const EXPANDED_LINES = 2000;

/** The rows of `block`. */
export function blockRows(block: Block, look: BlockLook): LaidOut {
  const { styles } = look.theme;
  const width = look.width - gutterCells;
  switch (block.kind) {
    case 'user':
      return under(look, true, promptLines(block.text, look), block.steered ? '↳' : '●', styles.accent);
    case 'assistant': {
      const drawn = markdownLines(block.text, look.lex, width, look.theme);
      // An answer is only cut behind a blank line, which belongs to neither part.
      const lines = block.continued ? [{ segments: [] }, ...drawn] : drawn;
      const cutShort: readonly Line[] = block.incomplete
        ? [{ segments: [{ text: visibleLine('— interrupted —'), style: styles.warning }] }]
        : [];
      return under(look, !block.continued, [...lines, ...cutShort], block.continued ? '┊' : '◆', styles.agent_label);
    }
    case 'reasoning':
      return under(look, false, reasoningLines(block, look), '∴', styles.reasoning_label);
    case 'tool': {
      const glyph = look.selected ? styles.selected : styles.tool_call_glyph;
      return under(look, false, toolLines(block, look.expanded, look.nowMs, look.theme), '▶', glyph);
    }
    case 'notice':
      return under(
        look,
        false,
        textLines(block.text, noticeStyle(look.theme, block.level)),
        glyphs[block.level],
        noticeStyle(look.theme, block.level),
      );
    case 'retry':
      return under(look, false, [{ segments: [{ text: retryText(block, look.nowMs), style: styles.warning }] }], '↻', styles.warning);
    case 'banner':
      return under(look, false, textLines(block.text, styles.banner), '▌', styles.banner);
  }
}

const glyphs: Readonly<Record<NoticeLevel, string>> = { info: '·', warning: '!', error: '✗' };

function noticeStyle(theme: Theme, level: NoticeLevel): Style {
  return level === 'info' ? theme.styles.text : theme.styles[level];
}

/** Does what this block shows change with time alone? */
export function isTicking(block: Block): boolean {
  if (block.kind === 'tool') return block.status === 'running';
  if (block.kind === 'reasoning') return block.endedMs === null;
  return block.kind === 'retry' && !block.over;
}

function under(look: BlockLook, spaced: boolean, lines: readonly Line[], glyph: string, style: Style): LaidOut {
  const first: Segment = { text: `${glyph} ` as Visible, style };
  const rest: Segment = { text: '┊ ' as Visible, style: look.theme.styles.border };
  const laid = layOut(lines.length > 0 ? lines : [{ segments: [] }], look.width, first, rest);
  if (!spaced || look.first) return laid;
  const blank: Row = { segments: [] };
  return { rows: [blank, ...laid.rows], keys: [-1, ...laid.keys] };
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

function reasoningLines(block: Extract<Block, { kind: 'reasoning' }>, look: BlockLook): readonly Line[] {
  const style = look.theme.styles.reasoning_label;
  if (block.endedMs === null || look.expanded) return textLines(block.text.trim(), style);
  const elapsedMs = block.endedMs - block.startedMs;
  return [{ segments: [{ text: visibleLine(elapsedMs < 1000 ? 'thought' : `thought for ${formatElapsed(elapsedMs)}`), style }] }];
}

function retryText(block: Extract<Block, { kind: 'retry' }>, nowMs: number): Visible {
  const left = Math.max(0, Math.ceil((block.atMs - nowMs) / 1000));
  const when = block.over ? '' : left > 0 ? ` · again in ${left} s` : ' · trying again';
  return visibleLine(`${block.reason}, attempt ${block.attempt}${when}`);
}
