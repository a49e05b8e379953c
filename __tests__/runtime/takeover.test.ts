/** Takeover as the runtime sees it: who types, what waits, what the model is told, what is written down. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '../../lib/policy/redaction.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { Trace, traced } from '../../lib/runtime/trace.js';
import { settle } from '../support/fake-clock.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const pane = '%1';
const allowed = { policy: { kind: 'all' } } as const;
const ran = (text: string, exitCode = 0, cwd = '/srv') => ({ type: 'pane.command', pane, text, exitCode, cwd }) as const;
const withPane = () => fakeTarget(() => exited('ok'), { screen: 'the screen $ ' });

type Bench = Awaited<ReturnType<typeof startRuntime>>;

async function handBack(bench: Bench): Promise<void> {
  const count = bench.find('pane.returned').length + 1;
  bench.runtime.send({ type: 'pane.handback', pane });
  await settle();
  await bench.clock.advance(100);
  await bench.seen('pane.returned', count);
}

test('bytes go to the pane while it is taken over, and only then', async () => {
  const bench = await startRuntime([], withPane());
  bench.runtime.send({ type: 'pane.input', pane, bytes: 'early' });
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'pane.input', pane, bytes: 'ls\r' });
  await bench.seen('pane.taken');
  await handBack(bench);
  bench.runtime.send({ type: 'pane.input', pane, bytes: 'late' });
  await bench.seen('command.refused', 2);
  expect(bench.fake.typed).toEqual(['ls\r']);
  expect(bench.find('command.refused').map((event) => event.reason)).toEqual([
    'take the pane over before you type into it',
    'take the pane over before you type into it',
  ]);
});

test('many bytes go in pieces that end between characters, a paste goes whole, to the pane that was taken', async () => {
  const bench = await startRuntime([], withPane());
  const text = `${'x'.repeat(4095)}👩${'y'.repeat(5000)}`;
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'pane.input', pane, bytes: text });
  await bench.seen('pane.taken');
  await settle();
  expect(bench.fake.typed.join('')).toBe(text);
  expect(bench.fake.typed.map((piece) => piece.isWellFormed())).toEqual([true, true, true]);
  bench.runtime.send({ type: 'pane.paste', pane: '%9', text });
  bench.runtime.send({ type: 'pane.paste', pane, text });
  await bench.seen('command.refused');
  await settle();
  expect(bench.fake.pasted).toEqual([text]);
});

test('a pane that is not there, or no tmux, is refused with a sentence', async () => {
  const bench = await startRuntime([], withPane());
  bench.runtime.send({ type: 'pane.takeover', pane: '%9' });
  await bench.seen('command.refused');
  expect(bench.find('command.refused')[0]?.reason).toBe('there is no pane %9');
  const direct = await startRuntime([], fakeTarget());
  direct.runtime.send({ type: 'pane.takeover', pane: 'direct' });
  await direct.seen('command.refused');
  expect(direct.find('command.refused')[0]?.reason).toBe('there is no pane here that could be taken over');
});

test('the model is told with the next request what the user ran; the event lists the same', async () => {
  const bench = await startRuntime([{ text: 'I see.' }], withPane());
  bench.runtime.send({ type: 'pane.takeover', pane });
  await bench.seen('pane.taken');
  bench.fake.emitter.fire(ran('cd /tmp; false', 1, '/tmp'));
  bench.fake.emitter.fire(ran('(private)', 0, '/tmp'));
  await handBack(bench);
  expect(bench.find('pane.returned')).toEqual([
    {
      type: 'pane.returned',
      pane,
      commands: [
        { text: 'cd /tmp; false', exitCode: 1, cwd: '/tmp' },
        { text: '(private)', exitCode: 0, cwd: '/tmp' },
      ],
    },
  ]);
  bench.runtime.send({ type: 'prompt.submit', text: 'what now?' });
  await bench.seen('task.ended');
  const users = bench.requests[0]?.messages.filter((message) => message.role === 'user').map((message) => message.text);
  expect(users?.[1]).toBe(
    '[harness] The user ran these commands in the shared terminal themselves:\n' +
      '1. cd /tmp; false → exit code 1, then in /tmp\n2. (private) → exit code 0, then in /tmp',
  );
});

test('that keys were typed is told when no command was run by them: they may have answered or ended something', async () => {
  const bench = await startRuntime([{ text: 'I see.' }, { text: 'Again.' }], withPane());
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'pane.input', pane, bytes: '\x03' });
  await bench.seen('pane.taken');
  await handBack(bench);
  bench.runtime.send({ type: 'prompt.submit', text: 'one' });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'prompt.submit', text: 'two' });
  await bench.seen('task.ended', 2);
  const notes = bench.requests[1]?.messages.filter((message) => message.text.startsWith('[harness]')).map((message) => message.text);
  expect(notes).toEqual(['[harness] The user had the keyboard of the shared terminal and typed there (what is not told).']);
});

test('a command that ends just after the hand-back is still in the list, and taking over again goes on with it', async () => {
  const bench = await startRuntime([], withPane());
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'pane.handback', pane });
  await bench.seen('pane.taken');
  bench.fake.emitter.fire(ran('make'));
  bench.runtime.send({ type: 'pane.takeover', pane });
  await bench.seen('pane.taken', 2);
  await bench.clock.advance(200);
  expect(bench.find('pane.returned')).toEqual([]);
  await handBack(bench);
  expect(bench.find('pane.returned')[0]?.commands).toHaveLength(1);
});

test('a call waits for the hand-back and then runs; the screen is kept from the model meanwhile', async () => {
  const bench = await startRuntime([{ calls: [shellCall('c1', 'uptime')] }, { text: 'done' }], withPane(), allowed);
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('warning');
  expect(bench.find('warning')[0]?.message).toBe('run_shell waits: you have the keyboard of the pane');
  expect(bench.fake.commands).toEqual([]);
  expect(JSON.stringify(bench.requests)).not.toContain('the screen $');
  expect(JSON.stringify(bench.requests)).toContain('The user has the keyboard');
  await handBack(bench);
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual(['uptime']);
});

test('a call that waited while the user ran something is not run: the model has to think again', async () => {
  const bench = await startRuntime([{ calls: [shellCall('c1', 'rm -r build')] }, { text: 'I see.' }], withPane(), allowed);
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('warning');
  bench.fake.emitter.fire(ran('cd /', 0, '/'));
  await handBack(bench);
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual([]);
  expect(bench.find('tool.ended')[0]?.text).toContain('The user had the keyboard and ran commands meanwhile');
  expect(JSON.stringify(bench.requests[1]?.messages)).toContain('cd / → exit code 0, then in /');
});

test('an interrupt ends the wait', async () => {
  const bench = await startRuntime([{ calls: [shellCall('c1', 'uptime')] }], withPane(), allowed);
  bench.runtime.send({ type: 'pane.takeover', pane });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('warning');
  bench.runtime.send({ type: 'task.cancel', task: '1' });
  await bench.seen('task.ended');
  expect(bench.find('task.ended')[0]).toMatchObject({ outcome: 'cancelled' });
  expect(bench.fake.commands).toEqual([]);
});

test('a pane that closes hands its keyboard back', async () => {
  const bench = await startRuntime([], withPane());
  bench.runtime.send({ type: 'pane.takeover', pane });
  await bench.seen('pane.taken');
  bench.fake.emitter.fire({ type: 'pane.closed', pane });
  expect(bench.types().slice(-2)).toEqual(['pane.returned', 'pane.closed']);
});

test('the trace has neither what was typed nor how it looked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(path, createRedactor([]), () => undefined);
  const bench = await startRuntime([], withPane());
  const port = traced(bench.runtime, trace, () => 1);
  const screen = (text: string) =>
    ({
      type: 'pane.screen',
      pane,
      screen: {
        cols: 20,
        rows: [{ segments: [{ text: text as never, style: {} }] }],
        cursor: { x: 0, y: 0, shown: true },
        modes: freshModes,
      },
    }) as const;
  port.send({ type: 'pane.takeover', pane });
  port.send({ type: 'pane.input', pane, bytes: 'swordfish\r' });
  port.send({ type: 'pane.paste', pane, text: 'swordfish' });
  await bench.seen('pane.taken');
  bench.fake.emitter.fire(screen('$ swordfish'));
  port.send({ type: 'pane.handback', pane });
  await settle();
  await bench.clock.advance(100);
  bench.fake.emitter.fire(screen('$ after'));
  trace.close();
  const written = readFileSync(path, 'utf8');
  rmSync(folder, { recursive: true, force: true });
  expect(written).not.toContain('swordfish');
  expect(written).toContain('"type":"pane.input","pane":"%1","length":10');
  expect(written).toContain('"type":"pane.paste","pane":"%1","length":9');
  expect(written).toContain('$ after');
});
