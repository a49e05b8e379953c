/** Whatever a model, a command or a file says: nothing that a terminal obeys, and nothing too wide, reaches a row. */

import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { rowText } from '../../lib/base/style.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { handleInput } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { following, picture, press, START_MS, startedEvent, stateAfter } from './support/picture.js';

const corpus = '../shared/corpora/own/terminal-payloads.json';
const payloads: readonly (readonly [string, string])[] = existsSync(corpus) ? Object.entries(JSON.parse(readFileSync(corpus, 'utf8'))) : [];
if (payloads.length === 0) console.warn(`${corpus} is missing: its payloads are not tried`);

const lex = await loadMarkdown();

/** C0, DEL, C1, format characters other than a joiner inside a cluster, line and paragraph separators, lone surrogates. */
const OBEYED = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\u{e0000}-\u{e0fff}]|\p{Cs}/u;

/** That text at every place where text from outside is shown. */
function everywhere(text: string, cols: number, rows: number): State {
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
function views(state: State): readonly State[] {
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

function check(state: State): void {
  const frame = compose(state, state.theme);
  const texts = frame.parts.flatMap((part) => part.rows).map(rowText);
  expect(texts.filter((text) => OBEYED.test(text))).toEqual([]);
  // Throws when a row is wider than its rectangle.
  picture(frame);
}

// Jest refuses an empty table.
(payloads.length > 0 ? test.each(payloads) : test.skip.each([['(missing)', '']] as const))('%s', (_name, payload) => {
  check(everywhere(payload, 60, 30));
  for (const view of views(everywhere(payload, 160, 50))) check(view);
});

test('the payloads do reach the screen, said in pictures', () => {
  expect(picture(compose(everywhere('a\x1b]0;PWN\x07b\u202ec', 160, 60), everywhere('', 160, 60).theme)).join('\n')).toContain(
    'a␛]0;PWN␇b<U+202E>c',
  );
});

test('any text at any size keeps to its cells: emoji, CJK, joiners, marks', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '👩‍👩‍👧',
      '日本語',
      'e\u0301',
      '\u0301',
      '🇩🇪',
      '⚠️',
      '❤',
      'ก็',
      'نص',
      '\u200d',
      '\ufe0f',
      '👍🏽',
      'x'.repeat(90),
      ' ',
      '\n',
      '\t',
      '|',
      '- ',
      '# ',
      '> ',
      '1. ',
      '`',
      '**',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.integer({ min: 40, max: 170 }),
      fc.integer({ min: 10, max: 40 }),
      (parts, cols, rows) => {
        for (const view of views(everywhere(parts.join(''), cols, rows))) check(view);
      },
    ),
    { numRuns: 40, seed: 2026 },
  );
});

test('a mirror of a larger pane is cut to its widget and follows the cursor', () => {
  const wide = Array.from({ length: 50 }, (_, i) => ({ segments: [{ text: `${i}:日本語${'x'.repeat(300)}` as never, style: {} }] }));
  const screen = { cols: 320, rows: wide, cursor: { x: 310, y: 49, shown: true }, modes: freshModes };
  const state = following(
    stateAfter(130, 30, [startedEvent()]),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.screen', pane: '%1', screen },
  );
  const focused = press(state, START_MS, 'tab', 'tab').state;
  check(focused);
  const frame = compose(focused, focused.theme);
  expect(frame.cursor).not.toBeNull();
  expect(frame.cursor?.x).toBeLessThan(130);
});
