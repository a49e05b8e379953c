/** Journeys through the page of /usage and the parts of the lines at the top and at the bottom: keys in, screen out. */

import { readFileSync } from 'node:fs';
import { slashCommands, slashStep } from '../../lib/commands/index.js';
import type { ModelSummary, RuntimeEvent } from '../../lib/protocol/events.js';
import { loadCharts } from '../../lib/tui/charts.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import type { InitialState, State } from '../../lib/view/state.js';
import { parseTheme } from '../../lib/view/theme.js';
import { chatModel, demoModel, following, picture, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const draw = loadCharts();
const priced: ModelSummary = { ...chatModel, prices: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: null } };

/** A prompt that took two answers. */
const turn = (n: number, input: number, output: number): readonly RuntimeEvent[] => [
  { type: 'task.started', task: String(n), kind: 'prompt', text: `question ${n}`, pane: null },
  answer(String(n), input, 0, output),
  answer(String(n), input, input, output),
  { type: 'task.ended', task: String(n), outcome: 'completed', exitCode: null, error: null },
];
const answer = (task: string, inputTokens: number, cachedTokens: number, outputTokens: number): RuntimeEvent => ({
  type: 'model.answered',
  task,
  message: { role: 'assistant', text: '', reasoning: '', calls: [], extras: {}, incomplete: false },
  usage: { inputTokens, cachedTokens, outputTokens, reasoningTokens: null },
});
const session: readonly RuntimeEvent[] = [
  startedEvent(priced),
  ...turn(1, 10_000, 500),
  ...turn(2, 20_000, 1500),
  ...turn(3, 5000, 100),
  { type: 'metrics.context', usedTokens: 50_000, windowTokens: 200_000 },
];
const at = (cols: number, rows: number, events: readonly RuntimeEvent[] = session, more: Partial<InitialState> = {}): State =>
  stateAfter(cols, rows, events, { commands: slashCommands, ...more });
const open = (state: State): State => reduce(slashStep('/usage', state).state, { type: 'charts', draw, trouble: null });
const keys = (state: State, ...names: readonly string[]): State => press(state, START_MS, ...names).state;

test('/usage shows charts and numbers by turn and by model; it scrolls to its end and closes', () => {
  const page = open(at(100, 30));
  expect(seen(page)).toContain('6 answers · 70.0k in (35.0k cached) · 4.2k out');
  expect(seen(page)).toContain('context 50.0k of 200k, 25 %');
  expect(seen(page)).toMatch(/█{10,}·{20,}/);
  expect(seen(page)).toMatch(/in per turn · last 10\.0k · most 40\.0k +out per turn · last 200 · most 3\.0k/);
  expect(seen(page)).toMatch(/[⠁-⣿]{10}/u);
  expect(seen(page)).toMatch(/#1 +#2 +#3/);
  const end = keys(page, 'G');
  expect(seen(end)).toMatch(/gpt \(gpt-codex\) +70\.0k +35\.0k +4\.2k +\$0\.09/);
  expect(seen(end)).toMatch(/#2 question 2 +40\.0k +20\.0k +3\.0k +\$0\.06/);
  expect(seen(end)).toMatch(/cached +thinking/);
  expect(seen(keys(end, 'down', 'pagedown'))).toBe(seen(end));
  expect(seen(keys(end, 'g'))).toBe(seen(page));
  expect(seen(keys(end, 'pageup', 'up', 'j'))).not.toBe(seen(end));
  expect(seen(keys(page, 'x', 'escape'))).toBe(seen(at(100, 30)));
});

test('without charts, and before anything was used, there are the numbers and the reason', () => {
  const state = slashStep('/usage', at(80, 24, [startedEvent(priced)])).state;
  expect(seen(state)).toContain('No model has answered yet.');
  const page = reduce(slashStep('/usage', at(80, 24)).state, { type: 'charts', draw: null, trouble: 'Charts cannot be drawn: gone' });
  expect(seen(page)).toContain('Charts cannot be drawn: gone');
  expect(seen(page)).toMatch(/#3 question 3 +10\.0k/);
  expect(slashStep('/usage', page).effects).toEqual([{ type: 'charts' }]);
});

test('a question lies over the page, which comes back when it is answered', () => {
  const request = {
    id: 'a',
    task: '1',
    call: 'c',
    tool: 'run_shell',
    title: 'run',
    body: 'ls',
    target: 't',
    cwd: '/',
    claim: null,
  } as const;
  const asked = following(open(at(100, 30)), { type: 'approval.requested', request });
  expect(seen(asked)).not.toContain('per turn');
  const answered = following(asked, { type: 'approval.resolved', approval: 'a', decision: 'once', by: 'user' });
  expect(seen(answered)).toContain('in per turn');
});

test.each([
  [40, 10],
  [41, 11],
  [60, 20],
  [80, 24],
  [100, 30],
  [160, 45],
  [400, 100],
])('the page fits %d×%d in every theme', (cols, rows) => {
  for (const name of ['terminal', 'mono']) {
    const theme = parseTheme(readFileSync(`themes/${name}.json`, 'utf8'));
    let state = open(at(cols, rows, session, { theme }));
    // picture() throws when a row is wider than its window.
    for (let top = 0; top < 8; top++) {
      expect(picture(compose(state, theme)).join('\n')).toContain('usage');
      state = keys(state, 'pagedown');
    }
  }
});

test('what is drawn with hostile names is harmless, and names that are odd or long keep the rows straight', () => {
  const evil: ModelSummary = { ...priced, profile: 'a\x1b]0;x\x07日本👩‍👩‍👧', model: 'm\x9b2J'.repeat(20) };
  const state = open(at(60, 200, [startedEvent(evil), ...turn(1, 10, 20)]));
  expect(seen(state)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  expect(seen(state)).toContain('out per turn');
});

test('the parts of the header are those of the settings: tokens, cost, rate while an answer streams', () => {
  const header = ['model', 'session', 'cwd', 'tokens', 'cost', 'policy'] as const;
  const top = (state: State) => seen(state).split('\n')[0];
  expect(top(at(100, 30, session, { header }))).toMatch(/^ gpt ▸ chat {2}s1 {2}\/srv +70\.0k in 4\.2k out {2}\$0\.09 {2}ask/);
  expect(top(at(100, 30, session, { header: ['policy', 'gap', 'name'] }))).toMatch(/^ ask {20,} buddy-tui$/);
  const streaming: readonly RuntimeEvent[] = [
    { type: 'task.started', task: '9', kind: 'prompt', text: 'q', pane: null },
    { type: 'model.text', task: '9', text: 'x'.repeat(400) },
  ];
  const fast = at(100, 30, [startedEvent(), ...streaming]);
  const later = reduce(fast, { type: 'tick', nowMs: START_MS + 1100 });
  expect(top(later)).toMatch(/█ 100 t\/s +ask$/);
  expect(top(reduce(later, { type: 'tick', nowMs: START_MS + 3100 }))).toMatch(/█▁▁ 0 t\/s +ask$/);
  expect(top(following(later, { type: 'task.ended', task: '9', outcome: 'completed', exitCode: null, error: null }))).not.toContain('t/s');
});

test('a narrow header gives up the rate, then the tokens, before the model', () => {
  const header = ['model', 'context', 'rate', 'tokens', 'cost', 'policy'] as const;
  const top = (cols: number) => seen(at(cols, 24, session, { header })).split('\n')[0] ?? '';
  expect(top(80)).toContain('70.0k in');
  expect(top(50)).not.toContain('70.0k in');
  expect(top(50)).toMatch(/gpt ▸ chat.*ctx 25%.*\$0\.09 {2}ask/);
});

test('the footer can hold more than hints', () => {
  const bottom =
    seen(at(100, 30, session, { footer: ['hints', 'session', 'cost'] }))
      .split('\n')
      .at(-1) ?? '';
  expect(bottom).toMatch(/^ Enter send · .* s1 .*\$0\.09$/);
});

test('prices that are not known are no cost; some of them are told with a plus', () => {
  const free = open(at(100, 30, [startedEvent(demoModel), ...turn(1, 10, 20)]));
  expect(seen(free)).toContain('Prices are not known');
  const mixed = following(at(100, 30), { type: 'model.switched', model: demoModel }, ...turn(4, 10, 20));
  expect(seen(open(mixed))).toContain('cost $0.09+ and what has no known price');
});

test('what no server counted is an estimate and is told as one; a new session is told beside the run', () => {
  const silent = (task: string): readonly RuntimeEvent[] => [
    { type: 'task.started', task, kind: 'prompt', text: `question ${task}`, pane: null },
    { type: 'model.requested', task, iteration: 1, estimatedTokens: 3000 },
    { ...(answer(task, 0, 0, 0) as Extract<RuntimeEvent, { type: 'model.answered' }>), usage: null },
  ];
  const page = open(at(100, 40, [...session, { type: 'session.started', session: 's2' }, ...silent('4')]));
  expect(seen(page)).toContain('7 answers · ~73.0k in (35.0k cached) · ~4.2k out');
  expect(seen(page)).toContain('this session ~3.0k in · ~0 out · ~$0.0037');
  expect(seen(page)).toContain('~ estimated: the server gave no figures for 1 of 7 answers');
  expect(seen(keys(page, 'G'))).toMatch(/#4 question 4 +~3\.0k +– +~0 +~\$0\.0037/);
});

test('what was written to a cache and what was thought have columns when a server says so', () => {
  const told: RuntimeEvent = {
    ...(answer('4', 4000, 1000, 900) as Extract<RuntimeEvent, { type: 'model.answered' }>),
    usage: { inputTokens: 4000, cachedTokens: 1000, cacheWriteTokens: 2000, outputTokens: 900, reasoningTokens: 600 },
  };
  const before = { type: 'task.started', task: '4', kind: 'prompt', text: 'question 4', pane: null } as const;
  const page = keys(open(at(100, 40, [...session, before, told])), 'G');
  expect(seen(page)).toMatch(/turn +in +cached +written +out +thinking +cost/);
  expect(seen(page)).toMatch(/#4 question 4 +4\.0k +1\.0k +2\.0k +900 +600 +\$0\.01/);
  expect(seen(page)).toMatch(/#3 question 3 +10\.0k +5\.0k +– +200 +– +\$0\.0089/);
});
