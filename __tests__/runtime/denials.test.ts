/** A no is remembered: the next question like it says so, and the third no ends the prompt. */

import type { ToolMessage } from '../../lib/protocol/messages.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const WAYS = ['rm -rf build', 'sudo rm -fr build', 'cd . && rm -r -f build', 'rm -rf build/x'];

/** A model that asks for these, one after the other. */
async function asking(commands: readonly string[]) {
  const answers = commands.map((command, at) => ({ calls: [shellCall(`c${at}`, command)] }));
  const bench = await startRuntime([...answers, { text: 'I give up.' }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'clean up' });
  return bench;
}

test('three times no to near-identical commands ends the prompt, and every call has its result', async () => {
  const bench = await asking(WAYS);
  for (const count of [1, 2, 3]) {
    await bench.seen('approval.requested', count);
    bench.answer('deny');
  }
  await bench.seen('task.ended');
  expect(bench.find('task.ended')[0]).toMatchObject({
    outcome: 'failed',
    error: {
      code: 'turn.refused',
      message: 'the model was stopped: you said no 3 times to much the same: rm -f -r build',
      hint: 'Tell it what to do instead, or say "go on" to let it continue. The limit is limits.denials (/limits denials).',
    },
  });
  expect(bench.find('approval.requested').map(({ request }) => request.notes)).toEqual([
    undefined,
    ['asked again: you said no to the like of it once before'],
    ['asked again: you said no to the like of it 2 times before'],
  ]);
  expect(bench.requests).toHaveLength(3);
  bench.runtime.send({ type: 'prompt.submit', text: 'go on' });
  await bench.seen('approval.requested', 4);
  const results = (bench.requests.at(-1)?.messages ?? []).filter((message): message is ToolMessage => message.role === 'tool');
  expect(results.map(({ callId }) => callId)).toEqual(['c0', 'c1', 'c2']);
  expect(bench.fake.commands).toEqual([]);
});

test('what else the same answer asks for is not asked any more', async () => {
  const calls = ['rm -rf a', 'rm -fr a', 'rm -r -f a', 'touch b'].map((command, at) => shellCall(`c${at}`, command));
  const bench = await startRuntime([{ calls }, { text: 'done' }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  for (const count of [1, 2, 3]) {
    await bench.seen('approval.requested', count);
    bench.answer('deny', 'not that');
  }
  await bench.seen('task.ended');
  expect(bench.find('approval.requested')).toHaveLength(3);
  expect(bench.find('tool.ended').map(({ text }) => text)[3]).toContain('the prompt is being ended, and nothing ran');
});

test('different commands may be refused as often as there are, and a new prompt begins to count anew', async () => {
  const bench = await asking(['touch a', 'touch b', 'touch c', 'rm -rf build']);
  for (const count of [1, 2, 3, 4]) {
    await bench.seen('approval.requested', count);
    bench.answer('deny');
  }
  await bench.seen('task.ended');
  expect(bench.find('task.ended')[0]?.outcome).toBe('completed');
});

test('a file is known again by its path, whatever is to be written', async () => {
  const writing = (id: string, content: string) => ({
    calls: [{ id, name: 'write_file', argsText: JSON.stringify({ path: 'notes', content, why: 'w' }) }],
  });
  const bench = await startRuntime([writing('1', 'a'), writing('2', 'b'), writing('3', 'c'), { text: 'ok' }], fakeTarget());
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  for (const count of [1, 2, 3]) {
    await bench.seen('approval.requested', count);
    bench.answer('deny');
  }
  await bench.seen('task.ended');
  expect(bench.find('task.ended')[0]?.error?.message).toContain('you said no 3 times to much the same: write_file: write /srv/notes');
});

test('a question that was cancelled is no no', async () => {
  const bench = await asking(['make', 'make']);
  await bench.seen('approval.requested');
  bench.runtime.send({ type: 'task.cancel', task: '1' });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'prompt.submit', text: 'now do' });
  await bench.seen('approval.requested', 2);
  expect(bench.find('approval.requested')[1]?.request.notes).toBeUndefined();
});
