/** Silence at the other end of a connection: told when it begins and when it ends, and not when this process stood still. */

import { PassThrough } from 'node:stream';
import type { Child } from '../../lib/base/process.js';
import { listenForSilence } from '../../lib/targets/places/heartbeat.js';
import { FakeClock, settle } from '../support/fake-clock.js';

function listening(clock = new FakeClock()) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const told: boolean[] = [];
  let end: (how: { code: number; signal: null; error: null }) => void = () => undefined;
  const ended = new Promise<{ code: number; signal: null; error: null }>((resolve) => {
    end = resolve;
  });
  const child: Child = { pid: 2, stdin, stdout, stderr: new PassThrough(), ended, exited: ended, kill: () => undefined };
  listenForSilence(child, clock, (silent) => told.push(silent));
  const asked = () => (stdin.read() ?? Buffer.alloc(0)).length;
  return { clock, stdin, stdout, told, asked, end: () => end({ code: 0, signal: null, error: null }) };
}

test('one that answers is never silent', async () => {
  const { clock, stdin, stdout, told } = listening();
  stdin.pipe(stdout);
  await clock.advance(60_000);
  expect(told).toEqual([]);
});

test('silence is told once, within 4 seconds, and one question waits', async () => {
  const { clock, told, asked } = listening();
  await clock.advance(3999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([true]);
  await clock.advance(60_000);
  expect(told).toEqual([true]);
  expect(asked()).toBe(1);
});

test('an answer ends it, and it may begin again', async () => {
  const { clock, stdout, told } = listening();
  await clock.advance(10_000);
  stdout.write('\n');
  await settle();
  expect(told).toEqual([true, false]);
  await clock.advance(4000);
  expect(told).toEqual([true, false, true]);
});

test('a process that stood still itself does not blame the other end', async () => {
  class Stopped extends FakeClock {
    stoodStillMs = 0;
    override monotonic(): number {
      return super.monotonic() + this.stoodStillMs;
    }
  }
  const clock = new Stopped();
  const { told } = listening(clock);
  await clock.advance(3000);
  for (let stop = 0; stop < 5; stop++) {
    clock.stoodStillMs += 5000;
    await clock.advance(1000);
  }
  expect(told).toEqual([]);
  await clock.advance(1000);
  expect(told).toEqual([true]);
});

test('it asks nothing any more when the child has ended', async () => {
  const { clock, told, end } = listening();
  end();
  await settle();
  expect(clock.pending).toBe(0);
  await clock.advance(60_000);
  expect(told).toEqual([]);
});
