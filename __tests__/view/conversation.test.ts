/** What the events of a session look like in the conversation, the tasks and the status bar. */

import fc from 'fast-check';
import { rowText } from '../../lib/base/style.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { viewport } from '../../lib/view/viewport.js';
import { chatModel, demoModel, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const begin = (...events: readonly RuntimeEvent[]): State => stateAfter(79, 24, [startedEvent(), ...events], { lex });
const tick = (state: State, ms: number): State => reduce(state, { type: 'tick', nowMs: START_MS + ms });

/** The rows inside the conversation pane that hold something. */
function rows(state: State): readonly string[] {
  return seen(state)
    .split('\n')
    .slice(3)
    .filter((line) => line.startsWith('│'))
    .map((line) => line.slice(1, -1).trimEnd())
    .filter((line) => line !== '');
}

const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'why?', pane: null };
const requested: RuntimeEvent = { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'seq 9\necho done' };
const running: RuntimeEvent = { type: 'tool.started', task: '1', call: 'c' };

function ended(more: Partial<Extract<RuntimeEvent, { type: 'tool.ended' }>>): RuntimeEvent {
  return {
    type: 'tool.ended',
    task: '1',
    call: 'c',
    isError: false,
    text: 'all\nof it',
    summary: 'exit 0 · 2 lines',
    exitCode: 0,
    elapsedMs: 1800,
    ...more,
  };
}

const cases: readonly (readonly [string, readonly RuntimeEvent[], readonly string[]])[] = [
  ['a prompt and an answer', [prompt, { type: 'model.text', task: '1', text: 'because **so**' }], ['● why?', '◆ because so']],
  ['a steering text', [prompt, { type: 'task.steered', task: '1', text: 'not that' }], ['● why?', '↳ not that']],
  [
    'thinking, while it goes on',
    [prompt, { type: 'model.reasoning', task: '1', text: 'hm' }],
    ['● why?', '∴ thinking · 0 s · 2 B', '┊ hm'],
  ],
  [
    'thinking, when it is over',
    [prompt, { type: 'model.reasoning', task: '1', text: 'hm' }, { type: 'model.text', task: '1', text: 'so' }],
    ['● why?', '∴ thought · 2 B', '◆ so'],
  ],
  ['a call that waits', [prompt, requested], ['● why?', '▶ run_shell  seq 9 … 1 more line', '┊ waiting']],
  [
    'a call that runs shows the end of its output',
    [prompt, requested, running, { type: 'tool.output', task: '1', call: 'c', text: '1\n2\n3\n4\n\x1b[31m5\x1b[0m\n10%\r50%\r90%' }],
    ['● why?', '▶ run_shell  seq 9 … 1 more line', '┊ 2', '┊ 3', '┊ 4', '┊ 5', '┊ 90%', '┊ running 0 s · 5 lines'],
  ],
  [
    'a call that ended',
    [prompt, requested, running, ended({})],
    ['● why?', '▶ run_shell  seq 9 … 1 more line', '┊ exit 0 · 2 lines · 1.8 s  [expand]'],
  ],
  [
    'a call that failed',
    [prompt, requested, running, ended({ summary: 'exit 3 · 0.1 s', exitCode: 3, text: '' })],
    ['● why?', '▶ run_shell  seq 9 … 1 more line', '┊ exit 3 · 0.1 s'],
  ],
  [
    'a denied call',
    [prompt, requested, ended({ summary: 'denied', exitCode: null, text: 'no', isError: true })],
    ['● why?', '▶ run_shell  seq 9 … 1 more line', '┊ denied · no'],
  ],
  [
    'an answer that was cut off',
    [
      prompt,
      { type: 'model.text', task: '1', text: 'half' },
      {
        type: 'model.answered',
        task: '1',
        usage: null,
        message: { role: 'assistant', text: 'half', reasoning: '', calls: [], extras: {}, incomplete: true },
      },
    ],
    ['● why?', '◆ half', '┊ — interrupted —'],
  ],
  [
    'an answer that did not stream',
    [
      prompt,
      {
        type: 'model.answered',
        task: '1',
        usage: null,
        message: { role: 'assistant', text: 'at once', reasoning: '', calls: [], extras: {}, incomplete: false },
      },
    ],
    ['● why?', '◆ at once'],
  ],
  [
    'a wait before another try',
    [prompt, { type: 'model.retrying', task: '1', attempt: 1, attempts: 3, atMs: START_MS + 5000, reason: 'rate limit' }],
    ['● why?', '↻ trying again in 5 s (attempt 2 of 3): rate limit'],
  ],
  [
    'a failed task says why and what to do',
    [
      prompt,
      {
        type: 'task.ended',
        task: '1',
        outcome: 'failed',
        exitCode: null,
        error: { code: 'model.auth', message: 'the key was refused', hint: 'Check BUDDY_API_KEY.' },
      },
    ],
    ['● why?', '✗ the key was refused', '┊ Check BUDDY_API_KEY.'],
  ],
  [
    'an interrupted task',
    [prompt, { type: 'task.ended', task: '1', outcome: 'cancelled', exitCode: null, error: null }],
    ['● why?', '! interrupted'],
  ],
  [
    'a job that ended in the background',
    [
      { type: 'task.started', task: '2', kind: 'job', text: 'apt upgrade', pane: '%1' },
      { type: 'task.ended', task: '2', outcome: 'failed', exitCode: 100, error: null },
    ],
    ['! job 2 ended: exit 100 · apt upgrade'],
  ],
  [
    'a warning and an error',
    [
      { type: 'warning', message: 'careful' },
      { type: 'error', code: 'a.b', message: 'gone', hint: null },
    ],
    ['! careful', '✗ gone'],
  ],
];

test.each(cases)('%s', (_name, events, expected) => {
  expect(rows(begin(...events))).toEqual(expected);
});

test('expanded, a call shows the whole of what was called and of what came back', () => {
  expect(rows(press(begin(prompt, requested, running, ended({})), START_MS, 'C-o').state)).toEqual([
    '● why?',
    '▶ run_shell  seq 9',
    '┊ echo done',
    '┊ all',
    '┊ of it',
    '┊ exit 0 · 2 lines · 1.8 s  [collapse]',
  ]);
});

test('time goes on where time is shown, and only there', () => {
  const busy = begin(prompt, requested, running);
  expect(rows(tick(busy, 12_000))).toContain('┊ running 11 s');
  const retry = begin(prompt, { type: 'model.retrying', task: '1', attempt: 1, attempts: 3, atMs: START_MS + 5000, reason: 'rate limit' });
  expect(rows(tick(retry, 3000))).toContain('↻ trying again in 2 s (attempt 2 of 3): rate limit');
  expect(rows(tick(retry, 6000))).toContain('↻ trying again now (attempt 2 of 3): rate limit');
  expect(rows(following(retry, { type: 'model.text', task: '1', text: 'so' }))).toContain('↻ tried again (attempt 2 of 3): rate limit');
  const idle = begin();
  expect(tick(idle, 60_000)).toBe(idle);
});

test('toasts go away by themselves', () => {
  const state = following(begin(), { type: 'command.refused', command: 'session.new', reason: 'a prompt is running' });
  expect(seen(state)).toContain('a prompt is running');
  expect(seen(tick(state, 10_000))).not.toContain('a prompt is running');
});

test('live output is kept to its end, however much comes', () => {
  let state = begin(prompt, requested, running);
  for (let i = 0; i < 300; i++) state = following(state, { type: 'tool.output', task: '1', call: 'c', text: `${'x'.repeat(999)}\n` });
  const block = state.transcript.chunks[0]?.find((known) => known.kind === 'tool');
  expect(block?.kind === 'tool' && [block.outputChars, block.outputLines, block.tail.length <= 128_000]).toEqual([300_000, 300, true]);
});

test('the demo profile says that it is one and how to choose a real model', () => {
  const text = seen(stateAfter(100, 30, [startedEvent(demoModel)]));
  expect(text).toContain('▌ This is the demo profile');
  expect(text).toContain('BUDDY_API_KEY');
  expect(seen(stateAfter(100, 30, [startedEvent(chatModel)]))).not.toContain('demo profile');
});

test('the tasks: questions first, then what runs, what waits, what has ended', () => {
  const request = {
    id: 'a',
    task: '1',
    call: 'c',
    tool: 'run_shell',
    title: 'run in pane %1',
    body: 'ls',
    target: 't',
    cwd: '/',
    claim: null,
  };
  const state = stateAfter(160, 40, [
    startedEvent(),
    { type: 'task.started', task: '1', kind: 'job', text: 'journalctl', pane: null },
    { type: 'task.ended', task: '1', outcome: 'completed', exitCode: 0, error: null },
    { type: 'task.started', task: '2', kind: 'job', text: 'apt upgrade', pane: '%2' },
    { type: 'task.progress', task: '2', lastLine: 'Unpacking …' },
    { type: 'task.started', task: '3', kind: 'prompt', text: 'why?', pane: null },
    { type: 'queue.changed', waiting: [{ id: 'q', text: 'and then?', mode: 'follow-up' }] },
    { type: 'approval.requested', request },
  ]);
  const lines = seen(tick(state, 41_000)).split('\n');
  const top = lines.findIndex((line) => line.includes('─ tasks'));
  expect(lines.slice(top + 1, top + 7).map((line) => line.slice(89, -1).trim().replace(/ {3,}/g, ' | '))).toEqual([
    '? #1 waits for your answer: run in pane %1',
    '▶ #3 prompt why? | running  40 s',
    '… follow-up  and then?',
    '⧗ #2 job apt upgrade | running  40 s  pane %2',
    'Unpacking …',
    '✓ #1 job journalctl | exit 0  0.0 s',
  ]);
});

test('the status bar: model, target, context, and a policy that counts down', () => {
  const state = stateAfter(110, 24, [
    startedEvent(),
    { type: 'metrics.context', usedTokens: 68_000, windowTokens: 200_000 },
    { type: 'approval.policy', policy: { kind: 'until', untilMs: START_MS + 600_000 } },
  ]);
  expect(seen(tick(state, 328_000)).split('\n')[0]).toBe(
    ` buddy-tui  gpt ▸ chat  this host  /srv${' '.repeat(37)}ctx 34% ▓▓░░░░░  approve all 4:32`,
  );
});

test('the mirror says what the pane is doing and shows its screen', () => {
  const screen = {
    cols: 80,
    rows: [{ segments: [{ text: 'root@web-01:~# ' as never, style: {} }] }],
    cursor: { x: 15, y: 0, shown: true },
    modes: freshModes,
  };
  const state = following(
    stateAfter(130, 30, [startedEvent()]),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.screen', pane: '%1', screen },
    { type: 'pane.state', pane: '%1', state: { kind: 'running', program: 'apt', sinceMs: START_MS }, lastExit: 0 },
  );
  expect(seen(tick(state, 12_400))).toContain('┌─ pane shared · running apt 12s · exit 0 · cols 1–56/80 ┐');
  expect(seen(state)).toContain('│root@web-01:~# ');
});

test('a long answer looks the same whether it streamed (and was cut into blocks) or came at once', () => {
  const paragraph = fc.constantFrom(
    `${'word '.repeat(80)}\n\n`,
    '## Heading\n\n',
    `- one\n- two\n\n  more of two\n- three\n\n`,
    '1. a\n2. b\n\n',
    `\`\`\`sh\n${'echo x\n\n'.repeat(20)}\`\`\`\n\n`,
    '> quoted\n\n> again\n\n',
    '| a | b |\n|---|---|\n| x | y |\n\n',
    '    indented code\n\n    more\n\n',
    '---\n\n',
  );
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 8, maxLength: 30 }), fc.integer({ min: 3, max: 90 }), (parts, step) => {
      const text = `${parts.join('')}The end.`;
      const deltas = Array.from({ length: Math.ceil(text.length / step) }, (_, i): RuntimeEvent => {
        return { type: 'model.text', task: '1', text: text.slice(i * step, (i + 1) * step) };
      });
      const message = { role: 'assistant', text, reasoning: '', calls: [], extras: {}, incomplete: false } as const;
      const whole: RuntimeEvent = { type: 'model.answered', task: '1', usage: null, message };
      expect(drawn(begin(prompt, ...deltas, whole))).toEqual(drawn(begin(prompt, whole)));
    }),
    { numRuns: 60, seed: 2026 },
  );
});

/** Every row of the conversation, seen or not. */
function drawn(state: State): readonly string[] {
  return viewport(state, { cols: 70, rows: 100_000 }).rows.map((seenRow) => rowText(seenRow.row));
}

test('tokens are told when asked for, tool calls are left out when not wanted', () => {
  const usage = { inputTokens: 1200, outputTokens: 34, cachedTokens: null, reasoningTokens: null };
  const message = { role: 'assistant', text: 'so', reasoning: '', calls: [], extras: {}, incomplete: false } as const;
  const events: readonly RuntimeEvent[] = [prompt, requested, { type: 'model.answered', task: '1', message, usage }];
  expect(rows(begin(...events))).toEqual(['● why?', '▶ run_shell  seq 9 … 1 more line', '┊ waiting', '◆ so']);
  const asked = stateAfter(79, 24, [startedEvent(), ...events], { lex, showTokens: true, showToolCalls: false });
  expect(rows(asked)).toEqual(['● why?', '◆ so', '· tokens: 1.2k in · 34 out']);
});
