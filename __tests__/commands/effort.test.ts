/** Choosing how much a model thinks: /effort, /model with a level, the list, and what the screen says of it. */

import { runSlash, slashStep } from '../../lib/commands/index.js';
import { wordsOf } from '../../lib/modes/plain-words.js';
import type { ModelSummary } from '../../lib/protocol/events.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const codex: ModelSummary = {
  profile: 'codex',
  model: 'gpt-5.3-codex',
  api: 'responses',
  contextTokens: 400_000,
  effort: 'medium',
  efforts: ['low', 'medium', 'high'],
};
const high: ModelSummary = { ...codex, profile: 'codex:high', effort: 'high', variantOf: 'codex' };
const low: ModelSummary = { ...codex, profile: 'codex:low', effort: 'low', variantOf: 'codex' };
const dull: ModelSummary = { profile: 'dull', model: 'dull-1', api: 'chat', contextTokens: 8000, efforts: [] };
const local: ModelSummary = { profile: 'local', model: 'qwen3:8b', api: 'chat', contextTokens: 16_384 };

const using = (model: ModelSummary): State => {
  const started = startedEvent();
  if (started.type !== 'lifecycle.started') throw new Error('not the start');
  return stateAfter(100, 24, [{ ...started, model, profiles: [codex, low, high, dull, local] }]);
};
const sends = (line: string, model = codex) =>
  runSlash(line, using(model)).sends.map((command) => (command.type === 'model.switch' ? [command.profile, command.effort] : command));
const said = (line: string, model = codex) => runSlash(line, using(model)).notices.map(({ text }) => text);

test('a level that the model has is asked for, by either command', () => {
  expect(sends('/effort high')).toEqual([['codex', 'high']]);
  expect(sends('/effort LOW', high)).toEqual([['codex', 'low']]);
  expect(sends('/model codex high', local)).toEqual([['codex', 'high']]);
  expect(sends('/model 1 low', local)).toEqual([['codex', 'low']]);
  expect(sends('/model codex:high', local)).toEqual([['codex:high', undefined]]);
  expect(sends('/model dull')).toEqual([['dull', undefined]]);
});

test('one that it has not is answered with those that it has', () => {
  const levels = 'codex (gpt-5.3-codex) cannot be told to think "much": it knows low, medium, high.';
  expect([said('/effort much'), said('/model codex much', local), said('/effort much', high)]).toEqual([[levels], [levels], [levels]]);
  expect([said('/effort', dull), said('/model dull low')]).toEqual([
    ['dull (dull-1) cannot be told how much to think.'],
    ['dull (dull-1) cannot be told how much to think.'],
  ]);
  expect(said('/effort', local)[0]).toContain('how much local (qwen3:8b) can be told to think is not known');
  expect(said('/model codx high')[0]).toBe('There is no model profile "codx high". Did you mean codex:high?');
});

test('the list has the levels, the one in use marked, and Enter takes one', () => {
  const open = slashStep('/effort', using(high)).state;
  const rows = seen(open)
    .split('\n')
    .filter((line) => /│ (low|medium|high) /.test(line))
    .map((line) => line.replace(/[│┌┐]/g, '').trim().replace(/ {2,}/g, ' | '));
  expect(rows.map((row) => row.split(' | ').at(-1))).toEqual(['codex:low', 'codex', 'now']);
  expect(press(open, START_MS, 'down', 'enter').effects).toEqual([
    { type: 'send', command: { type: 'model.switch', profile: 'codex', effort: 'medium' } },
  ]);
});

test('the header and the conversation say it, and the lines of the plain mode', () => {
  const state = following(using(codex), { type: 'model.switched', model: high });
  expect(seen(using(codex)).split('\n')[0]).toContain('codex ▸ responses · medium');
  expect(seen(state).split('\n')[0]).toContain('codex ▸ responses · high');
  expect(seen(state)).toContain('model: codex (gpt-5.3-codex), thinks high');
  expect(seen(using(local)).split('\n')[0]).toMatch(/local ▸ chat {2}/);
  expect(wordsOf({ type: 'model.switched', model: high }, 0)).toEqual(['Model: codex:high, thinks high']);
  expect(wordsOf({ type: 'command.refused', command: 'model.switch', reason: 'a prompt is running' }, 0)).toEqual([
    'Not done: a prompt is running',
  ]);
});
