/** Compaction as a front end sees it: whole lists of events, and what the model is sent afterwards. */

import { BuddyError } from '../../lib/base/errors.js';
import type { RuntimeOptions } from '../../lib/runtime/runtime-options.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { unsound } from '../support/messages.js';
import { startRuntime, usualCompaction } from '../support/runtime-bench.js';
import { type ScriptedAnswer, scriptedSummary, shellCall } from '../support/scripted-model.js';
import { summarisingModel } from '../support/summarising-model.js';

const WINDOW = 9600;
const small = { ...scriptedSummary, contextTokens: WINDOW };
const calls = (count: number) => Array.from({ length: count }, (_, n) => ({ calls: [shellCall(`c${n}`, `echo ${n}`)] }));
const tooLong = () => new BuddyError('model.context', 'the server answered 400: too many tokens', { hint: 'Start a new session.' });
const gone = () => new BuddyError('model.auth', 'the key was refused');
const SUMMARY = { text: '## Goal\nSee what is there.\n## Done\nSome echoes.' };

/** A runtime whose every command prints 6000 characters, on a window of 9600 tokens. */
async function bench(answers: readonly ScriptedAnswer[], summaries: readonly ScriptedAnswer[], more: Partial<RuntimeOptions> = {}) {
  const model = summarisingModel(answers, summaries, small);
  const made = await startRuntime(
    [],
    fakeTarget(() => exited('x'.repeat(6000))),
    {
      policy: { kind: 'all' },
      profiles: [small, { ...small, profile: 'cheap' }],
      openModel: () => Promise.resolve(model.provider),
      ...more,
    },
  );
  const prompt = async (text: string, ended: number) => {
    made.runtime.send({ type: 'prompt.submit', text });
    await made.seen('task.ended', ended);
  };
  /** All but what calls and answers tell, and the warning on the way: when it comes depends on how long the descriptions of the tools are. */
  const told = () => made.types().filter((type) => !/^(tool|approval)\.|^model\.(text|answered)$|^lifecycle|^warning$/.test(type));
  return { ...made, ...model, prompt, told };
}

describe('before the window is full', () => {
  test('a summary takes the place of the older part, in the middle of a prompt', async () => {
    const { prompt, told, find, requests, summaryRequests } = await bench(calls(6), [SUMMARY]);
    await prompt('look around, but do not touch /srv', 2);
    expect(told()).toEqual([
      'task.started',
      'model.requested',
      'model.requested',
      'model.requested',
      'model.requested',
      'model.requested',
      'task.started',
      'context.summarised',
      'context.compacted',
      'task.ended',
      'model.requested',
      'model.requested',
      'task.ended',
    ]);
    expect(find('task.started')[1]).toMatchObject({ task: '2', kind: 'compaction' });
    const [compacted] = find('context.compacted');
    expect(compacted?.trimmed).toBeUndefined();
    expect(compacted?.tokensAfter).toBeLessThan((compacted?.tokensBefore ?? 0) / 1.5);
    expect(summaryRequests).toHaveLength(1);
    expect(summaryRequests[0]?.messages[0]?.text).toContain('[call run_shell] {"command":"echo 0"');
    const after = requests[5]?.messages ?? [];
    expect(after[0]?.text).toContain('1. look around, but do not touch /srv');
    expect(after[0]?.text).toContain('Some echoes.');
    expect(requests.map(({ messages }) => unsound(messages))).toEqual(requests.map(() => null));
    expect(find('task.ended').map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
  });

  test('the next request begins as the one before, byte for byte, whatever the terminal shows', async () => {
    let screen = 0;
    const fake = fakeTarget(() => exited('x'.repeat(2000)), { screen: '' });
    const tmux = fake.target.tmux;
    if (tmux === null) throw new Error('no tmux');
    tmux.capture = () => Promise.resolve(`screen ${++screen}`);
    const made = await startRuntime(calls(3), fake, { policy: { kind: 'all' } });
    made.runtime.send({ type: 'prompt.submit', text: 'x' });
    await made.seen('task.ended');
    expect(made.requests.length).toBe(4);
    for (const [at, request] of made.requests.entries()) {
      const next = made.requests[at + 1];
      if (next === undefined) break;
      // Only the terminal, at the end, is not in the next one.
      const kept = { ...request, messages: request.messages.slice(0, -1) };
      const begins = { ...next, messages: next.messages.slice(0, kept.messages.length) };
      expect(JSON.stringify(begins)).toBe(JSON.stringify(kept));
      expect(request.messages.at(-1)?.text).toContain(`screen ${at + 1}`);
    }
  });

  test('what stands in for a result that never came is the same in each request', async () => {
    const { prompt, runtime, clock, seen, requests } = await bench([{ calls: [shellCall('c', 'x')] }], [], { policy: { kind: 'ask' } });
    runtime.send({ type: 'prompt.submit', text: 'x' });
    await seen('approval.requested');
    runtime.send({ type: 'task.cancel', task: '1' });
    await seen('task.ended');
    await prompt('y', 2);
    await clock.advance(5000);
    await prompt('z', 3);
    const [, first, second] = requests;
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  });

  test('the policy and what was allowed stay as they were', async () => {
    const { runtime, prompt, find, requests } = await bench(calls(7), [SUMMARY, SUMMARY]);
    runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
    await prompt('x', 2);
    expect(find('context.compacted').length).toBeGreaterThan(0);
    expect(find('approval.requested')).toEqual([]);
    expect(find('approval.policy')).toHaveLength(1);
    expect(requests.every(({ instructions }) => instructions === requests[0]?.instructions)).toBe(true);
  });
});

describe('a summary that does not help', () => {
  test('is tried twice, then given up with the reason, and old results go instead', async () => {
    const { prompt, find, summaryRequests, requests } = await bench(calls(16), [{ text: '' }, { text: ' ' }, SUMMARY]);
    await prompt('x', 3);
    expect(summaryRequests).toHaveLength(2);
    expect(find('context.compacted').every(({ trimmed }) => trimmed === true)).toBe(true);
    const warnings = find('warning').filter(({ message }) => message.includes('summar'));
    expect(warnings.map(({ message }) => message)).toEqual([
      'the conversation could not be summarised (the model wrote no summary); old results were left out instead',
      expect.stringMatching(/^summaries are given up here: two did not help \(the last: the model wrote no summary\); .*\/model\.$/),
    ]);
    expect(find('task.ended').map(({ task, outcome }) => [task, outcome])).toEqual([
      ['2', 'failed'],
      ['3', 'failed'],
      ['1', 'completed'],
    ]);
    expect(requests.map(({ messages }) => unsound(messages))).toEqual(requests.map(() => null));
  });

  test('is tried again after one on the person’s word has helped', async () => {
    const { prompt, runtime, seen, summaryRequests } = await bench(
      [...calls(16), { text: 'done.' }, ...calls(6)],
      [{ text: '' }, { text: '' }, SUMMARY, SUMMARY],
    );
    await prompt('x', 3);
    runtime.send({ type: 'session.compact', wishes: '' });
    await seen('task.ended', 4);
    expect(summaryRequests).toHaveLength(3);
    await prompt('again', 6);
    expect(summaryRequests).toHaveLength(4);
  });

  test('where instructions and tools fill the window, nothing goes round in circles: the prompt ends and says why', async () => {
    const { prompt, find, summaryRequests, requests } = await bench(calls(30), [SUMMARY, SUMMARY, SUMMARY], {
      instructions: () => 'law '.repeat((WINDOW * 4 * 0.93) / 4),
    });
    await prompt('x', 1);
    expect(requests.length + summaryRequests.length).toBeLessThan(6);
    expect(find('task.ended').at(-1)?.error).toEqual({
      code: 'context.full',
      message: expect.stringMatching(
        new RegExp(`no longer fits the model's window of ${WINDOW} tokens: instructions and tools alone take \\d+$`),
      ),
      hint: 'Begin a new session, or choose a model with a larger window with /model.',
    });
  });

  test('with auto_compact off none is written', async () => {
    const { prompt, find, summaryRequests } = await bench(calls(9), [SUMMARY], { compaction: { ...usualCompaction, auto: false } });
    await prompt('x', 1);
    expect(summaryRequests).toEqual([]);
    expect(find('context.compacted').length).toBeGreaterThan(0);
    expect(find('context.compacted').every(({ trimmed }) => trimmed === true)).toBe(true);
    expect(find('task.ended')[0]?.outcome).toBe('completed');
  });
});

describe('a server that finds the request too long', () => {
  test('is asked once more after one compaction', async () => {
    const { prompt, told, find, requests, summaryRequests } = await bench([...calls(3), { error: tooLong() }, { text: 'fine' }], [SUMMARY]);
    await prompt('x', 2);
    expect(told().slice(-7)).toEqual([
      'model.requested',
      'task.started',
      'context.summarised',
      'context.compacted',
      'task.ended',
      'model.requested',
      'task.ended',
    ]);
    expect([requests.length, summaryRequests.length]).toEqual([5, 1]);
    expect(JSON.stringify(requests[4]).length).toBeLessThan(JSON.stringify(requests[3]).length * 0.8);
    expect(find('task.ended').at(-1)?.outcome).toBe('completed');
  });

  test('and refuses that as well ends the prompt with its own words; what ran is not run again', async () => {
    const { prompt, find, requests, fake } = await bench([...calls(3), { error: tooLong() }, { error: tooLong() }], [SUMMARY]);
    await prompt('x', 2);
    expect(requests).toHaveLength(5);
    expect(fake.commands).toEqual(['echo 0', 'echo 1', 'echo 2']);
    expect(find('task.ended').at(-1)?.error).toMatchObject({ code: 'model.context', hint: 'Start a new session.' });
  });

  test('though there is nothing to leave out, is not asked again', async () => {
    const { prompt, find, requests, summaryRequests } = await bench([{ error: tooLong() }], [SUMMARY]);
    await prompt('x', 1);
    expect([requests.length, summaryRequests.length]).toEqual([1, 0]);
    expect(find('task.ended')[0]?.error?.code).toBe('model.context');
  });
});

describe('who writes the summary', () => {
  const cheapSettings = { compaction: { ...usualCompaction, profile: 'cheap' } };

  test('is the profile of the settings', async () => {
    const opened: string[] = [];
    const model = summarisingModel(calls(5), [SUMMARY], small);
    const { prompt, find } = await bench([], [], {
      ...cheapSettings,
      openModel: (profile) => {
        opened.push(profile);
        return Promise.resolve(model.provider);
      },
    });
    await prompt('x', 2);
    expect(opened).toEqual(['scripted', 'cheap']);
    expect(find('context.summarised')).toMatchObject([{ profile: 'cheap' }]);
  });

  test('is the one in use when that one fails, and old results go when both do', async () => {
    const one = await bench(calls(5), [{ error: gone() }, SUMMARY], cheapSettings);
    await one.prompt('x', 2);
    expect(one.find('warning').map(({ message }) => message)).toContain(
      'cheap wrote no summary (the key was refused); scripted is asked instead',
    );
    expect(one.find('context.summarised')).toMatchObject([{ profile: 'scripted' }]);
    const none = await bench(calls(5), [{ error: gone() }, { error: gone() }], cheapSettings);
    await none.prompt('x', 2);
    expect(none.find('context.compacted')).toMatchObject([{ trimmed: true }]);
    expect(none.find('task.ended').at(-1)?.outcome).toBe('completed');
  });
});

describe('stopped by the person', () => {
  test('with the prompt, the conversation is as it was', async () => {
    const { runtime, prompt, seen, find, requests, summaryRequests } = await bench(
      [...calls(5), { text: 'next' }],
      [{ text: 'half', hangs: true }],
    );
    runtime.send({ type: 'prompt.submit', text: 'x' });
    await seen('task.started', 2);
    runtime.send({ type: 'task.cancel', task: '1' });
    await seen('task.ended', 2);
    expect(find('task.ended').map(({ task, outcome }) => [task, outcome])).toEqual([
      ['2', 'cancelled'],
      ['1', 'cancelled'],
    ]);
    expect(find('context.compacted')).toEqual([]);
    expect([requests.length, summaryRequests.length]).toEqual([5, 1]);
    // The same is asked for again, with everything in it.
    await prompt('go on', 4);
    expect(summaryRequests[1]?.messages[0]?.text.startsWith(summaryRequests[0]?.messages[0]?.text.slice(0, 2000) ?? '-')).toBe(true);
  });

  test('by itself, the prompt goes on with old results left out', async () => {
    const { runtime, seen, find } = await bench(calls(5), [{ text: 'half', hangs: true }]);
    runtime.send({ type: 'prompt.submit', text: 'x' });
    await seen('task.started', 2);
    runtime.send({ type: 'task.cancel', task: '2' });
    await seen('task.ended', 2);
    expect(find('task.ended').map(({ task, outcome }) => [task, outcome])).toEqual([
      ['2', 'cancelled'],
      ['1', 'completed'],
    ]);
    expect(find('context.compacted')).toMatchObject([{ trimmed: true }]);
  });

  test('or by a time limit of its own, which does not outlive it', async () => {
    const { runtime, seen, find, clock } = await bench(calls(5), [{ text: 'half', hangs: true }]);
    runtime.send({ type: 'prompt.submit', text: 'x' });
    await seen('task.started', 2);
    runtime.send({ type: 'task.deadline', task: '2', afterMs: 5000 });
    await seen('task.deadline');
    await clock.advance(5001);
    await seen('task.ended', 2);
    expect(find('task.ended').map(({ task, outcome }) => [task, outcome])).toEqual([
      ['2', 'cancelled'],
      ['1', 'completed'],
    ]);
    const quick = await bench(calls(5), [SUMMARY]);
    await quick.prompt('x', 2);
    quick.runtime.send({ type: 'task.deadline', task: '2', afterMs: 5000 });
    await quick.seen('command.refused');
    expect(quick.clock.pending).toBe(0);
  });
});
