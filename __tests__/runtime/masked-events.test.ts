/** What the runtime tells holds no secret, wherever an answer is parted; what a person decides on is shown as it is. */

import { createSecrets } from '../../lib/policy/redaction.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { maskedEvents } from '../../lib/runtime/masked-events.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

const KEY = 'canary-key-7f3a9c';
const secrets = () => createSecrets(() => [KEY]);

const piece = (type: 'model.text' | 'model.reasoning', text: string): RuntimeEvent => ({ type, task: '1', text });
const textOf = (events: readonly RuntimeEvent[], type: RuntimeEvent['type']) =>
  events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');

test('an answer that is parted inside the key, with other events between', () => {
  for (let cut = 1; cut < KEY.length; cut++) {
    const mask = maskedEvents(secrets());
    const events = [
      piece('model.reasoning', `it is ${KEY.slice(0, cut)}`),
      { type: 'metrics.context', usedTokens: 1, windowTokens: 2 } as const,
      piece('model.reasoning', KEY.slice(cut)),
      piece('model.text', `say ${KEY.slice(0, cut)}`),
      piece('model.text', `${KEY.slice(cut)}.`),
      piece('model.text', ' cana'),
      { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null } as const,
    ].flatMap((event) => mask(event));
    expect(textOf(events, 'model.reasoning')).toMatch(/^it is c?a?n?\[redacted\]$/);
    // What turned out to be nothing comes before the end.
    expect(textOf(events, 'model.text')).toMatch(/^say c?a?n?\[redacted\]\. cana$/);
    expect(events.at(-1)?.type).toBe('task.ended');
    expect(events.filter((event) => event.type === 'metrics.context')).toHaveLength(1);
  }
});

test('outputs of calls that run side by side are apart', () => {
  const mask = maskedEvents(secrets());
  const output = (call: string, text: string) => mask({ type: 'tool.output', task: '1', call, text });
  const events = [output('a', 'canary-'), output('b', 'key-7f3a9c!'), output('a', 'key-7f3a9c.')].flat();
  expect(events).toEqual([
    { type: 'tool.output', task: '1', call: 'b', text: 'key-7f3a9c!' },
    { type: 'tool.output', task: '1', call: 'a', text: '[redacted].' },
  ]);
});

test('a whole prompt: masked where it is told, as it is where it is decided on, and numbered without gaps', async () => {
  const call = {
    id: 'c1',
    name: 'run_shell',
    argsText: JSON.stringify({ command: `echo ${KEY}`, risk: 'low', mutation: false, privesc: false, why: 'w' }),
  };
  const fake = fakeTarget(() => exited(`the key is ${KEY}\n`));
  const bench = await startRuntime([{ text: `Now ${KEY}.`, reasoning: `I know ${KEY}.`, calls: [call] }, { text: `It was ${KEY}` }], fake, {
    secrets: secrets(),
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('approval.requested');
  expect(bench.find('approval.requested')[0]?.request.body).toContain(KEY);
  bench.answer('once');
  await bench.seen('task.ended');
  const told = bench.events.filter(({ type }) => !type.startsWith('approval.') && type !== 'tool.requested');
  expect(JSON.stringify(told.map((event) => (event.type === 'model.answered' ? { ...event.message, calls: [] } : event)))).not.toContain(
    KEY,
  );
  expect(JSON.stringify(told)).toContain('It was [redacted]');
  expect(fake.commands).toEqual([`echo ${KEY}`]);
  // The model is shown what really happened.
  expect(JSON.stringify(bench.requests.at(-1)?.messages)).toContain(`the key is ${KEY}`);
  expect(bench.seqs).toEqual(bench.seqs.map((_, at) => at + 1));
});
