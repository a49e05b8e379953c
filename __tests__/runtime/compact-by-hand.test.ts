/** `/compact`: a summary on the person's word, as a task of its own. */

import { BuddyError } from '../../lib/base/errors.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { unsound } from '../support/messages.js';
import { startRuntime } from '../support/runtime-bench.js';
import { type ScriptedAnswer, shellCall } from '../support/scripted-model.js';
import { summarisingModel } from '../support/summarising-model.js';

const steps = [0, 1, 2, 3].map((n) => ({ text: `step ${n}`, calls: [shellCall(`c${n}`, `echo ${n}`)] }));

/** A runtime that has answered one prompt, with four commands that printed 3000 characters each. */
async function talked(summaries: readonly ScriptedAnswer[]) {
  const model = summarisingModel([...steps, { text: 'All seen.' }, { text: 'Next answer.' }], summaries);
  const bench = await startRuntime(
    [],
    fakeTarget(() => exited('x'.repeat(3000))),
    { policy: { kind: 'all' }, openModel: () => Promise.resolve(model.provider) },
  );
  bench.runtime.send({ type: 'prompt.submit', text: 'look around' });
  await bench.seen('task.ended');
  const from = bench.events.length;
  return {
    ...bench,
    ...model,
    compact: (wishes = '') => bench.runtime.send({ type: 'session.compact', wishes }),
    /** What was told since the prompt ended. */
    since: () => bench.events.slice(from),
  };
}

test('is a task that ends with the mark, and the next prompt goes on from the summary', async () => {
  const usage = { inputTokens: 900, outputTokens: 40, cachedTokens: null, reasoningTokens: null };
  const { compact, seen, since, runtime, summaryRequests, requests } = await talked([{ text: 'Four echoes.', usage }]);
  compact('the exit codes');
  await seen('task.ended', 2);
  expect(since()).toEqual([
    { type: 'task.started', task: '2', kind: 'compaction', text: 'summarise the conversation: the exit codes', pane: null },
    { type: 'context.summarised', task: '2', profile: 'scripted', usage, estimatedTokens: expect.any(Number), characters: 12 },
    { type: 'context.compacted', tokensBefore: expect.any(Number), tokensAfter: expect.any(Number) },
    { type: 'metrics.context', usedTokens: expect.any(Number), windowTokens: 100_000 },
    { type: 'task.ended', task: '2', outcome: 'completed', exitCode: null, error: null },
  ]);
  expect(summaryRequests[0]?.instructions).toContain('the exit codes');
  expect(summaryRequests[0]?.tools).toEqual([]);
  runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await seen('task.ended', 3);
  const after = requests.at(-1)?.messages ?? [];
  expect(unsound(after)).toBeNull();
  expect(after[0]?.text).toMatch(/^<earlier-conversation>.*1\. look around.*Four echoes\.\n<\/earlier-conversation>$/s);
  expect(after.at(-1)?.text).toBe('and now?');
});

test('folds an earlier summary in: it is part of what the next one is made from', async () => {
  const { compact, seen, runtime, summaryRequests, requests } = await talked([{ text: 'First: four echoes.' }, { text: 'Both.' }]);
  compact();
  await seen('task.ended', 2);
  runtime.send({ type: 'prompt.submit', text: `a long one ${'y'.repeat(9000)}` });
  await seen('task.ended', 3);
  compact();
  await seen('task.ended', 4);
  expect(summaryRequests[1]?.messages[0]?.text).toContain('[summary of what came before]');
  expect(summaryRequests[1]?.messages[0]?.text).toContain('First: four echoes.');
  runtime.send({ type: 'prompt.submit', text: 'z' });
  await seen('task.ended', 5);
  const texts = requests.at(-1)?.messages.map(({ text }) => text) ?? [];
  expect(texts.filter((text) => text.startsWith('<earlier-conversation>'))).toHaveLength(1);
  expect(texts[0]).toContain('1. look around\n2. a long one');
  expect(texts[0]).not.toContain('First: four echoes.');
});

test('is refused with the reason while there is nothing to compact, and while something has the conversation', async () => {
  const fresh = await startRuntime([{ text: 'hello' }, { text: 'x', hangs: true }]);
  fresh.runtime.send({ type: 'session.compact', wishes: '' });
  await fresh.seen('command.refused', 1);
  fresh.runtime.send({ type: 'prompt.submit', text: 'hi' });
  await fresh.seen('task.ended');
  fresh.runtime.send({ type: 'session.compact', wishes: '' });
  await fresh.seen('command.refused', 2);
  fresh.runtime.send({ type: 'prompt.submit', text: 'again' });
  await fresh.seen('model.text', 2);
  fresh.runtime.send({ type: 'session.compact', wishes: '' });
  await fresh.seen('command.refused', 3);
  expect(fresh.find('command.refused').map(({ command, reason }) => `${command}: ${reason}`)).toEqual([
    'session.compact: there is nothing to compact yet',
    expect.stringMatching(/^session\.compact: there is nothing to compact: the conversation has \d+ tokens$/),
    'session.compact: a prompt is running; interrupt it first',
  ]);
});

test('can be cancelled: the conversation is as it was, and what was typed meanwhile comes back', async () => {
  const { compact, runtime, seen, since, find, requests } = await talked([{ text: 'half', hangs: true }]);
  compact();
  await seen('task.started', 2);
  for (const type of ['session.new', 'session.compact'] as const) runtime.send(type === 'session.new' ? { type } : { type, wishes: '' });
  runtime.send({ type: 'model.switch', profile: 'other' });
  runtime.send({ type: 'prompt.submit', text: 'meanwhile' });
  await seen('queue.changed');
  runtime.send({ type: 'task.cancel', task: '2' });
  await seen('task.ended', 2);
  expect(since().map(({ type }) => type)).toEqual([
    'task.started',
    'command.refused',
    'command.refused',
    'command.refused',
    'queue.changed',
    'task.ended',
    'queue.changed',
    'queue.returned',
  ]);
  expect(find('command.refused')[0]?.reason).toBe('the conversation is being summarised; interrupt it first');
  expect(find('task.ended')[1]).toMatchObject({ outcome: 'cancelled', error: null });
  runtime.send({ type: 'prompt.submit', text: 'go on' });
  await seen('task.ended', 3);
  expect(requests.at(-1)?.messages.slice(0, 9)).toEqual([...(requests.at(-2)?.messages ?? [])]);
});

test('that would save too little changes nothing and says so', async () => {
  const { compact, seen, find } = await talked([{ text: 'word '.repeat(9000) }]);
  compact();
  await seen('task.ended', 2);
  expect(find('context.compacted')).toEqual([]);
  expect(find('task.ended')[1]).toMatchObject({
    outcome: 'failed',
    error: { code: 'context.ineffective', message: expect.stringMatching(/hardly make it smaller: \d+ tokens would become \d+/) },
  });
});

test('without a model leaves old results out instead, and the prompt that waited runs', async () => {
  const refused = new BuddyError('model.auth', 'the key was refused');
  const { compact, runtime, seen, find, requests } = await talked([{ error: refused }]);
  compact();
  await seen('task.started', 2);
  runtime.send({ type: 'prompt.submit', text: 'and then' });
  await seen('task.ended', 3);
  expect(find('context.compacted')).toMatchObject([{ trimmed: true }]);
  expect(find('warning').map(({ message }) => message)).toEqual([
    'the conversation could not be summarised (the key was refused); old results were left out instead',
  ]);
  expect(find('task.ended').map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed']);
  expect(unsound(requests.at(-1)?.messages ?? [])).toBeNull();
  expect(requests.at(-1)?.messages.at(-1)?.text).toBe('and then');
});
