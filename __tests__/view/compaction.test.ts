/** How a summary of the conversation looks: while it is written, when it is there, when it was stopped. */

import { slashCommands, slashStep } from '../../lib/commands/index.js';
import { wordsOf } from '../../lib/modes/plain-words.js';
import type { ModelSummary, RuntimeEvent } from '../../lib/protocol/events.js';
import type { SessionSummary } from '../../lib/protocol/sessions.js';
import type { State } from '../../lib/view/state.js';
import { chatModel, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const cheap: ModelSummary = {
  ...chatModel,
  profile: 'cheap',
  model: 'mini',
  prices: { input: 1, output: 2, cacheRead: null, cacheWrite: null },
};
const first: RuntimeEvent = { ...startedEvent(), profiles: [chatModel, cheap] } as RuntimeEvent;
const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'look', pane: null };
const began: RuntimeEvent = { type: 'task.started', task: '2', kind: 'compaction', text: 'summarise the conversation', pane: null };
const ended = (outcome: 'completed' | 'cancelled' | 'failed', message: string | null = null): RuntimeEvent => ({
  type: 'task.ended',
  task: '2',
  outcome,
  exitCode: null,
  error: message === null ? null : { code: 'context.ineffective', message, hint: null },
});
const local = { kind: 'local', via: 'tmux', label: 'this host', host: 'web-01', user: 'root', cwd: '/srv', shell: 'bash' } as const;
const kept: SessionSummary = {
  session: 'ab-12',
  name: null,
  title: 'how full is the disk?',
  latest: '',
  labels: [],
  bytes: 2048,
  prompts: 1,
  target: 'this host',
  updatedMs: START_MS,
  foreign: null,
  open: false,
};
const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedTokens: null, reasoningTokens: null };
const begin = (...events: readonly RuntimeEvent[]): State => stateAfter(140, 30, [first, ...events], { commands: slashCommands });

test('while one is written it is a task, the draft says what the keys do, and Esc stops it', () => {
  const state = begin(began);
  expect(seen(state)).toContain('#2 compaction summarise the conversation');
  expect(seen(state)).toContain('the conversation is being summarised · Enter queues · Esc stops it');
  expect(seen(state)).toContain('summarise the conversation …');
  expect(press(state, START_MS, 'escape').effects).toEqual([{ type: 'send', command: { type: 'task.cancel', task: '2' } }]);
  expect(seen(slashStep('/model gpt', state).state)).toContain('/model waits until the summary is written; Esc interrupts it.');
  expect(seen(following(state, ended('cancelled')))).toContain('interrupted; the conversation is as it was');
});

test.each([
  ['model', 'a prompt is running', prompt],
  ['model', 'the conversation is being summarised', began],
  ['effort', 'a prompt is running', prompt],
  ['effort', 'the conversation is being summarised', began],
  ['session', 'a prompt is running', prompt],
  ['session', 'the conversation is being summarised', began],
] as const)('the list %s says "not now: %s"', (kind, reason, event) => {
  const thinking = startedEvent({ ...chatModel, effort: 'low', efforts: ['low', 'high'] });
  const listed: RuntimeEvent = { type: 'session.listed', sessions: [kept] };
  const state = { ...stateAfter(160, 30, [thinking, listed, event]), picker: { kind, query: '', selected: 0 } } as const;
  expect(seen(state)).toContain(`not now: ${reason}`);
  expect(seen(press(state, START_MS, 'enter').state)).toContain(`Not now: ${reason}.`);
});

test('who leaves meanwhile is told what is given up', () => {
  const pane: readonly RuntimeEvent[] = [
    { type: 'target.changed', target: { ...local, attach: 'tmux -L buddy attach -t buddy-agent-mo' } },
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.state', pane: '%1', state: { kind: 'idle' }, lastExit: null },
  ];
  const leave = (event: RuntimeEvent) => seen(press(begin(...pane, event), START_MS, 'C-d').state);
  expect(leave(began)).toContain('The summary that is being written is given up.');
  expect(leave(began)).not.toContain('The prompt that runs is interrupted.');
  expect(leave(prompt)).toContain('The prompt that runs is interrupted.');
});

test('within a prompt Esc stops the prompt, which alone says that it was interrupted', () => {
  const state = begin(prompt, began);
  expect(press(state, START_MS, 'escape').effects).toEqual([{ type: 'send', command: { type: 'task.cancel', task: '1' } }]);
  const over = following(state, ended('cancelled'), { type: 'task.ended', task: '1', outcome: 'cancelled', exitCode: null, error: null });
  expect(seen(over).match(/interrupted/g)).toHaveLength(1);
});

test('what became of the conversation is marked across it, and told in lines', () => {
  const summary: RuntimeEvent = { type: 'context.compacted', tokensBefore: 7000, tokensAfter: 2000 };
  const trimmed: RuntimeEvent = { ...summary, trimmed: true };
  const state = begin(began, summary, ended('completed'), trimmed);
  expect(seen(state)).toContain('─ what came before was summarised: 7000 tokens became 2000 ─');
  expect(seen(state)).toContain('─ old results were left out: 7000 tokens became 2000 ─');
  expect([began, summary, trimmed].flatMap((event) => wordsOf(event, 0))).toEqual([
    'Summarise the conversation.',
    'What came before was summarised: 7000 tokens became 2000.',
    'Old results were left out: 7000 tokens became 2000.',
  ]);
});

test('one that would save too little says so', () => {
  const state = begin(began, ended('failed', 'a summary would hardly make it smaller'));
  expect(seen(state)).toContain('a summary would hardly make it smaller; the conversation is as it was');
});

test('what it used is counted for the model that wrote it, at its prices', () => {
  const { usage: counted } = begin(prompt, began, {
    type: 'context.summarised',
    task: '2',
    profile: 'cheap',
    usage,
    estimatedTokens: 9,
    characters: 9,
  });
  expect(counted.models).toMatchObject([{ profile: 'cheap', model: 'mini', cost: 2, requests: 1 }]);
  expect(counted.all.cost).toBe(2);
  expect(counted.turns).toMatchObject([{ task: '1', requests: 0 }]);
});
