/** A tool call as a card: what is called, the end of what it prints while it runs, then how it ended. */

import { formatBytes, formatElapsed } from '../../base/duration.js';
import type { Segment, Style } from '../../base/style.js';
import { visibleLine } from '../../base/visible.js';
import type { FileDiff } from '../../protocol/approvals.js';
import { ruleText } from '../../protocol/rules.js';
import type { Theme } from '../theme.js';
import type { ToolBlock } from '../transcript.js';
import { diffCount, diffLines, diffStart } from './diff.js';
import { runningFor } from './elapsed.js';
import { type Line, textLines } from './lines.js';
import { cleanOutput, tailLines } from './output.js';

/** Lines of live output on a card. */
const TAIL_LINES = 5;
/** Lines of a diff on a folded card. */
const DIFF_LINES = 12;
/** Lines of what the person's own command printed: they ran it to see them. */
const OWN_LINES = 12;

/** The lines of a card; `expanded` shows the whole call, the whole diff and all the output that is kept. */
export function toolLines(block: ToolBlock, expanded: boolean, nowMs: number, width: number, theme: Theme): readonly Line[] {
  return [
    ...headLines(block, expanded, theme),
    ...changeLines(block, expanded, width, theme),
    ...outputLines(block, expanded, theme),
    ...ruleLines(block, theme),
    footLine(block, expanded, nowMs, theme),
  ];
}

/** Nobody was asked: which rule it was belongs to the call. */
function ruleLines({ rule }: ToolBlock, theme: Theme): readonly Line[] {
  if (rule === null) return [];
  return [{ segments: [{ text: visibleLine(`not asked: your rule ${rule.id}, ${ruleText(rule)}`, 'exact'), style: theme.styles.muted }] }];
}

function changeLines(block: ToolBlock, expanded: boolean, width: number, theme: Theme): readonly Line[] {
  if (block.diff === null) return [];
  if (expanded) return diffLines(block.diff, width, theme);
  const { lines, left } = diffStart(block.diff, width, theme, DIFF_LINES);
  if (left === 0) return lines;
  return [...lines, { segments: [{ text: visibleLine(`… ${left} more lines of the diff`), style: theme.styles.muted }] }];
}

function headLines(block: ToolBlock, expanded: boolean, theme: Theme): readonly Line[] {
  const name: Segment = { text: visibleLine(`${block.name}  `, 'exact'), style: theme.styles.tool_call_name };
  const [first = '', ...more] = block.preview.split('\n');
  const call: Segment = { text: visibleLine(first, 'exact'), style: theme.styles.tool_call_args };
  const hidden: readonly Segment[] =
    more.length > 0 && !expanded
      ? [{ text: visibleLine(` … ${more.length} more ${more.length === 1 ? 'line' : 'lines'}`), style: theme.styles.muted }]
      : [];
  const others = expanded
    ? more.map((line): Line => ({ segments: [{ text: visibleLine(line, 'exact'), style: call.style }], hard: true }))
    : [];
  return [{ segments: [name, call, ...hidden] }, ...others];
}

function outputLines(block: ToolBlock, expanded: boolean, theme: Theme): readonly Line[] {
  const style = theme.styles.tool_result_text;
  if (expanded) {
    const whole = block.result !== '' ? block.result : block.tail;
    const text = cleanOutput(whole).trimEnd();
    return text === '' ? [] : textLines(text, style, true);
  }
  if (block.name === '!' && block.status !== 'running') return ownOutput(block, style);
  return block.status === 'running' ? tailLines(block.tail, TAIL_LINES).flatMap((line) => textLines(line, style, true)) : [];
}

function ownOutput(block: ToolBlock, style: Style): readonly Line[] {
  const text = cleanOutput(block.result).trimEnd();
  const lines = text === '' ? [] : text.split('\n');
  const shown = lines.slice(-OWN_LINES);
  const left = lines.length - shown.length;
  const more: readonly Line[] = left > 0 ? [{ segments: [{ text: visibleLine(`… ${left} more lines above`), style }] }] : [];
  return [...more, ...shown.flatMap((line) => textLines(line, style, true))];
}

function footLine(block: ToolBlock, expanded: boolean, nowMs: number, theme: Theme): Line {
  const { styles } = theme;
  const part = (text: string, style: Style): Segment => ({ text: visibleLine(text), style });
  const changes = block.diff === null ? '' : changeCount(block.diff);
  switch (block.status) {
    case 'requested':
      return { segments: [part('waiting', styles.muted)] };
    case 'running': {
      const since = runningFor(block.startedMs ?? nowMs, nowMs);
      const size = block.outputChars > 0 ? ` · ${lineCount(block.outputLines)}` : '';
      return { segments: [part(`running ${since}${size}`, styles.progress)] };
    }
    case 'cancelled':
      return { segments: [part(block.summary === '' ? 'cancelled' : block.summary, styles.warning)] };
    case 'denied': {
      // Why nothing ran matters more than a row saved.
      const reason = expanded ? '' : (block.result.trim().split('\n', 1)[0] ?? '');
      return { segments: [part(block.summary, styles.warning), part(reason === '' ? '' : ` · ${reason}`, styles.muted)].filter(full) };
    }
    case 'done':
    case 'failed': {
      const style = block.status === 'done' ? styles.success : styles.error;
      const exit = block.exitCode !== null && !block.summary.includes(`exit ${block.exitCode}`) ? `exit ${block.exitCode} · ` : '';
      const size =
        block.outputChars > 0 && !block.summary.includes('line')
          ? ` · ${lineCount(block.outputLines)}, ${formatBytes(block.outputChars)}`
          : '';
      const hint = block.result.trim() === '' && block.diff === null ? '' : expanded ? '  [collapse]' : '  [expand]';
      const elapsed = /\d s\b|\d:\d\d/.test(block.summary) ? '' : ` · ${formatElapsed(block.elapsedMs)}`;
      return {
        segments: [part(exit + block.summary, style), part(changes + elapsed + size, styles.muted), part(hint, styles.muted)].filter(full),
      };
    }
  }
}

function changeCount(diff: FileDiff): string {
  const { added, removed } = diffCount(diff);
  return ` · +${added} −${removed}`;
}

function full(segment: Segment): boolean {
  return segment.text !== '';
}

function lineCount(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}
