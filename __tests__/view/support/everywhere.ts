/** One text at every place where text from outside is shown, and what must hold of every picture of it. */

import { rowText } from '../../../lib/base/style.js';
import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import { handleInput } from '../../../lib/view/app.js';
import { compose } from '../../../lib/view/compose.js';
import { reduce } from '../../../lib/view/reducer.js';
import { loadMarkdown } from '../../../lib/view/rows/markdown.js';
import type { State } from '../../../lib/view/state.js';
import { picture, press, START_MS, startedEvent, stateAfter } from './picture.js';

const lex = await loadMarkdown();

/** C0, DEL, C1, format characters other than a joiner inside a cluster, line and paragraph separators, lone surrogates. */
const OBEYED = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\u{e0000}-\u{e0fff}]|\p{Cs}/u;

/** That text at every place where text from outside is shown. */
export function everywhere(text: string, cols: number, rows: number): State {
  const where = { kind: 'ssh', host: text, user: text } as const;
  const computed = { risk: 'high', mutation: true, privesc: true, network: true, reasons: [text] } as const;
  const claim = { risk: 'low', mutation: false, privesc: false, why: text } as const;
  const events: readonly RuntimeEvent[] = [
    startedEvent({ profile: text, model: text, api: 'chat', contextTokens: 1 }),
    {
      type: 'target.changed',
      target: { kind: 'ssh', via: 'tmux', label: text, host: text, user: text, cwd: text, shell: text, attach: null },
    },
    { type: 'pane.opened', pane: '%1', title: text },
    { type: 'pane.state', pane: '%1', state: { kind: 'running', program: text, sinceMs: START_MS }, lastExit: 1 },
    { type: 'task.started', task: text, kind: 'prompt', text, pane: null },
    { type: 'task.started', task: '2', kind: 'job', text, pane: '%1' },
    { type: 'task.progress', task: '2', lastLine: text },
    { type: 'queue.changed', waiting: [{ id: '1', text, mode: 'steer' }] },
    { type: 'model.reasoning', task: '1', text },
    {
      type: 'model.text',
      task: '1',
      text: `${text}\n\n# ${text}\n\n- ${text}\n\n> ${text}\n\n\`\`\`${text}\n${text}\n\`\`\`\n\n| ${text} |\n|---|\n| ${text} |\n\n[${text}](${text}) ![${text}](x) **${text}** \`${text}\``,
    },
    { type: 'model.retrying', task: '1', attempt: 2, atMs: START_MS, reason: text },
    { type: 'tool.requested', task: '1', call: 'c', name: text, preview: `${text}\n${text}` },
    { type: 'tool.started', task: '1', call: 'c' },
    { type: 'tool.output', task: '1', call: 'c', text: `${text}\n` },
    { type: 'tool.requested', task: '1', call: 'd', name: 'read_file', preview: text },
    { type: 'tool.ended', task: '1', call: 'd', isError: true, text, summary: text, exitCode: 1, elapsedMs: 3 },
    { type: 'warning', message: text },
    { type: 'error', code: 'x.y', message: text, hint: text },
    { type: 'command.refused', command: 'prompt.submit', reason: text },
    {
      type: 'approval.requested',
      request: {
        id: 'a',
        task: '1',
        call: 'e',
        tool: text,
        title: text,
        body: text,
        target: text,
        cwd: text,
        claim,
        where,
        computed,
        notes: [text],
      },
    },
  ];
  const state = reduce(stateAfter(cols, rows, events, { lex }), { type: 'shown', nowMs: START_MS });
  return { ...handleInput(state, { type: 'paste', text, complete: true }, START_MS).state, expandAll: true };
}

/** The same state seen in several ways: from the start, page by page, with each pane alone, with the question answered. */
export function views(state: State): readonly State[] {
  const answered = press(state, START_MS + 5000, 'n').state;
  const pages = Array.from({ length: 6 }, (_, i) => press(answered, START_MS, 'C-home', ...Array<string>(i).fill('pagedown')).state);
  return [
    state,
    answered,
    ...pages,
    press(answered, START_MS, 'tab', 'tab', 'f5').state,
    press(answered, START_MS, 'tab', 'tab', 'tab', 'f5').state,
  ];
}

/** Nothing that a terminal obeys is in a row, and no row is wider than its place. */
export function check(state: State): void {
  const frame = compose(state, state.theme);
  const texts = frame.parts.flatMap((part) => part.rows).map(rowText);
  expect(texts.filter((text) => OBEYED.test(text))).toEqual([]);
  // Throws when a row is wider than its rectangle.
  picture(frame);
}
