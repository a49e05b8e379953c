/** A trace holds everything and no secret, and a full disk does not end the program. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import { createRedactor, createSecrets } from '../../lib/policy/redaction.js';
import { Trace, traced } from '../../lib/runtime/trace.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { until } from '../support/until.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('commands and events are written in order, redacted, readable by nobody else', async () => {
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(path, createRedactor(['hunter2-secret']), () => undefined);
  const bench = await startRuntime([{ text: 'the key is hunter2-secret' }]);
  const port = traced(bench.runtime, trace, () => 1);
  port.send({ type: 'prompt.submit', text: 'say sk-abcdefghijklmnopqrstuvwx' });
  await bench.seen('task.ended');
  trace.close();
  const written = readFileSync(path, 'utf8');
  expect(written).not.toContain('hunter2');
  expect(written).not.toContain('sk-abcdef');
  const lines = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: 'header', trace: 1, screen: null, atMs: 0 });
  expect(lines[1]).toMatchObject({ kind: 'command', command: { type: 'prompt.submit' } });
  expect(lines.slice(2).map((line) => line.seq)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what has scrolled off a pane is never written: it may show what was typed in a takeover', async () => {
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(path, createRedactor([]), () => undefined);
  const bench = await startRuntime([], fakeTarget(undefined, { screen: '' }));
  const port = traced(bench.runtime, trace, () => 1);
  port.send({ type: 'pane.scrollback', pane: '%1' });
  const rows = [rowOf({ text: visible('typed by hand'), style: {} })];
  bench.fake.emitter.fire({ type: 'pane.scrollback', pane: '%1', scrollback: { cols: 80, rows, more: false } });
  expect(bench.find('pane.scrollback')[0]?.scrollback?.rows).toBe(rows);
  await until('the target is asked', () => bench.fake.log.includes('scroll back %1'));
  trace.close();
  const written = readFileSync(path, 'utf8');
  expect(written).toContain('"pane.scrollback"');
  expect(written).not.toContain('typed by hand');
});

test('half a private key takes its text with it, not the rest of the line', () => {
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(path, createRedactor([]), () => undefined);
  const text = '-----BEGIN PRIVATE KEY-----\nMIIabc (cut';
  trace.write({ kind: 'event', seq: 1, tsMs: 1, event: { type: 'tool.output', task: '1', call: 'c', text } });
  trace.close();
  expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[1] ?? '')).toMatchObject({
    seq: 1,
    event: { type: 'tool.output', call: 'c', text: '[redacted]' },
  });
});

test('a file that was there and that others could read is theirs no longer', () => {
  const path = join(folder, 'trace.jsonl');
  writeFileSync(path, '', { mode: 0o644 });
  new Trace(path, createRedactor([]), () => undefined).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a disk that is full is told once', () => {
  if (!existsSync('/dev/full')) return;
  const troubles: string[] = [];
  const trace = new Trace(
    '/dev/full',
    (text) => text,
    (message) => troubles.push(message),
  );
  trace.write({ kind: 'view', tsMs: 1, action: 'a' });
  trace.write({ kind: 'view', tsMs: 2, action: 'b' });
  expect(troubles).toEqual(['the trace ends here: the disk is full']);
});

test('a file that cannot be opened is one clear sentence', () => {
  expect(
    () =>
      new Trace(
        join(folder, 'no', 'such', 'trace'),
        (text) => text,
        () => undefined,
      ),
  ).toThrow(/cannot write the trace .*no such file or folder/);
});

/** A trace with a clock of the test's, and the lines that it has written so far. */
function clocked(secrets: readonly string[] = []) {
  const clock = new FakeClock();
  const path = join(folder, 'trace.jsonl');
  const { redact, openEnd } = createSecrets(() => secrets);
  const trace = new Trace(path, redact, () => undefined, { clock, program: '1.2.3', openEnd });
  const type = (text: string) => {
    for (const key of text) trace.write({ kind: 'input', tsMs: clock.now(), input: { type: 'key', key, text: key } });
  };
  const press = (key: string) => trace.write({ kind: 'input', tsMs: clock.now(), input: { type: 'key', key, text: '' } });
  const lines = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const typed = () => lines().flatMap((line) => (line.kind === 'input' ? [line.input.text || line.input.key] : [line.kind]));
  return { clock, trace, type, press, lines, typed };
}

test('each line tells when it was, by a clock that only goes forward', async () => {
  const { clock, trace, press, lines } = clocked();
  trace.begin(null);
  await clock.advance(1500);
  press('up');
  expect(lines()).toMatchObject([
    { kind: 'header', program: '1.2.3', atMs: 0 },
    { kind: 'input', atMs: 1500 },
  ]);
});

test('a secret that is typed key by key is masked, and nothing else of the line', () => {
  const { trace, type, press, typed } = clocked(['hunter2-secret']);
  type('say hunter2-');
  trace.write({ kind: 'view', tsMs: 1, action: { type: 'tick', nowMs: 1 } });
  type('secret now');
  expect(typed()).toEqual(['header']);
  press('enter');
  expect(typed().join('')).toBe(`headersay ${'•'.repeat(8)}view${'•'.repeat(6)} nowenter`);
});

test.each([
  ['a wrong letter', 'huntex<r2-sw<ecret'],
  ['letters that were right', 'hunter2-se<<<-secret'],
  ['all that was typed before', 'no<<<<hunter2-secret'],
  ['the whole of it', `hunter2-secret${'<'.repeat(14)}ok`],
])('a secret is masked also with an erasure of %s', (_, keys) => {
  const { trace, type, press, typed } = clocked(['hunter2-secret']);
  for (const key of keys) {
    if (key === '<') press('backspace');
    else type(key);
  }
  press('enter');
  trace.close();
  const left = typed()
    .filter((key) => key !== 'backspace')
    .join('');
  expect(left).toMatch(/^header(?:no)?[•xw]{14,}(?:ok)?enter$/);
});

test('what is typed is written when nothing more comes, and at the end', async () => {
  const { clock, trace, type, typed } = clocked();
  type('ab');
  await clock.advance(1999);
  trace.pulse();
  expect(typed()).toEqual(['header']);
  await clock.advance(1);
  trace.pulse();
  expect(typed()).toEqual(['header', 'a', 'b']);
  type('c');
  trace.close();
  expect(typed()).toEqual(['header', 'a', 'b', 'c']);
});

test('whoever stops in the middle of a secret has not shown half of it', async () => {
  const { clock, trace, type, press, typed } = clocked(['hunter2-secret']);
  type('hunter2-');
  await clock.advance(29_999);
  trace.pulse();
  expect(typed()).toEqual(['header']);
  type('secret');
  press('enter');
  expect(typed().join('')).toBe(`header${'•'.repeat(14)}enter`);
  type('hunter2');
  await clock.advance(30_000);
  trace.pulse();
  expect(typed().join('')).toContain('enterhunter2');
});

test('an event that was written before is left out', () => {
  const { trace, lines } = clocked();
  for (const seq of [1, 2, 2, 1, 3]) trace.write({ kind: 'event', seq, tsMs: 1, event: { type: 'lifecycle.stopping' } });
  expect(lines().map((line) => line.seq)).toEqual([undefined, 1, 2, 3]);
});

test('a pipe that nobody reads is not waited for', () => {
  const path = join(folder, 'pipe');
  execFileSync('sh', ['-c', `mkfifo '${path}'`]);
  expect(() => new Trace(path, createRedactor([]), () => undefined)).toThrow(/cannot write the trace .*it is no regular file/);
});
