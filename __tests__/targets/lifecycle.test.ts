/** Commands that are cancelled, timed out, or left in the background. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../lib/base/clock.js';
import type { RunOutcome } from '../../lib/targets/target.js';
import { expectAlive, HeldClock, never, pidIn, TargetTests, untilGone } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

test('cancel stops a command and its children, and the pane is free again', async () => {
  const opened = await tests.start();
  const cancel = new AbortController();
  const outcome = opened.run("echo begun; sh -c 'echo $$ >pid; exec sleep 600'", { kind: 'exit' }, cancel.signal);
  const pid = await pidIn(opened.home, 'pid');
  cancel.abort();
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true, raw: 'begun\r\n^C\r\n' });
  await untilGone(pid);
  await expectAlive(opened);
});

test('cancel goes on to stronger means when Ctrl-C is ignored', async () => {
  const opened = await tests.start();
  const cancel = new AbortController();
  const stubborn = 'sh -c \'trap "" INT QUIT; echo $$ >pid; while :; do sleep 1; done\'';
  const outcome = opened.run(stubborn, { kind: 'exit' }, cancel.signal);
  const pid = await pidIn(opened.home, 'pid');
  cancel.abort();
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
  await untilGone(pid);
  await expectAlive(opened);
});

/** The real clock, ten times as fast. */
const hurried: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  after: (ms, run) => systemClock.after(ms / 10, run),
  every: (ms, run) => systemClock.every(ms, run),
};

test('what survives every means is told and followed on', async () => {
  const opened = await tests.start({ clock: hurried });
  const cancel = new AbortController();
  // The shell itself loops: only what it starts can be ended.
  const command = 'trap "" INT QUIT; echo begun; until [ -e go ]; do sleep 0.02; done; trap - INT QUIT; echo done';
  let outcome: Promise<RunOutcome> | null = null;
  await new Promise<void>((resolve) => {
    const onChunk = (text: string) => {
      if (text.includes('begun')) resolve();
    };
    outcome = opened.target.run({ command, wait: { kind: 'exit' } }, { signal: cancel.signal, onChunk });
  });
  cancel.abort();
  const cancelled = (await outcome) as RunOutcome | null;
  if (cancelled?.kind !== 'cancelled' || cancelled.survivor === undefined) throw new Error(JSON.stringify(cancelled));
  expect(cancelled.stopped).toBe(false);
  expect(await opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
  writeFileSync(join(opened.home, 'go'), '');
  expect(await cancelled.survivor.ended).toMatchObject({ exitCode: 0, output: { text: expect.stringMatching(/^begun\n[\s\S]*done\n$/) } });
  await expectAlive(opened);
});

test('a signal that has fired already runs nothing', async () => {
  const opened = await tests.start();
  expect(await opened.run('touch ran', { kind: 'exit' }, AbortSignal.abort())).toMatchObject({ kind: 'cancelled', stopped: true });
  await expectAlive(opened);
  expect(existsSync(join(opened.home, 'ran'))).toBe(false);
});

test('after the time is over the command goes on and its end is told', async () => {
  const clock = new HeldClock(77_777);
  const opened = await tests.start({ clock });
  const command = 'echo first; until [ -e go ]; do sleep 0.02; done; echo last; (exit 7)';
  const onChunk = (text: string) => {
    if (text.includes('first')) clock.fire();
  };
  const outcome = await opened.target.run({ command, wait: { kind: 'for', ms: 77_777 } }, { signal: never, onChunk });
  if (outcome.kind !== 'running') throw new Error(JSON.stringify(outcome));
  expect(outcome).toMatchObject({ reason: 'time-out', output: { text: 'first\n' } });
  expect(outcome.background.lastLine()).toBe('first');
  expect(outcome.background.tail(100)).toEqual({ text: 'first\r\n', totalBytes: 7, id: expect.stringMatching(/^o\d+$/) });
  expect(outcome.background.tail(3)).toMatchObject({ text: 't\r\n', totalBytes: 7 });
  const refused = await opened.run('echo no');
  expect(refused).toMatchObject({ kind: 'refused', state: { kind: 'running' }, reason: expect.stringContaining('running in the pane') });
  expect(refused).toMatchObject({ screen: expect.stringContaining('first') });
  writeFileSync(join(opened.home, 'go'), '');
  expect(await outcome.background.ended).toMatchObject({ exitCode: 7, output: { text: 'first\nlast\n' } });
  await expectAlive(opened);
});

test('a command nobody waits for is tracked to its exit code, and can be stopped', async () => {
  const opened = await tests.start();
  const first = await opened.run('until [ -e go ]; do sleep 0.02; done; echo done', { kind: 'none' });
  if (first.kind !== 'running') throw new Error(JSON.stringify(first));
  expect(first).toMatchObject({ reason: 'detached', background: { pane: expect.stringMatching(/^%\d+$/) } });
  writeFileSync(join(opened.home, 'go'), '');
  expect(await first.background.ended).toMatchObject({ exitCode: 0, output: { text: 'done\n' } });
  const second = await opened.run('sleep 600', { kind: 'none' });
  if (second.kind !== 'running') throw new Error(JSON.stringify(second));
  expect(await second.background.stop(new AbortController().signal)).toBe(true);
  expect(await second.background.ended).toMatchObject({ exitCode: 130 });
  await expectAlive(opened);
});

test('a job in the background holds nothing up', async () => {
  const opened = await tests.start();
  expect(await opened.run('sleep 600 & echo $! >pid')).toMatchObject({ kind: 'exited', exitCode: 0 });
  await expectAlive(opened);
  expect(await opened.run('kill $!')).toMatchObject({ kind: 'exited', exitCode: 0 });
});
