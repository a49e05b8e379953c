/** A trace holds everything and no secret, and a full disk does not end the program. */

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import { createRedactor } from '../../lib/policy/redaction.js';
import { Trace, traced } from '../../lib/runtime/trace.js';
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
  expect(lines[0]).toMatchObject({ kind: 'command', command: { type: 'prompt.submit' } });
  expect(lines.slice(1).map((line) => line.seq)).toEqual([2, 3, 4, 5, 6, 7]);
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
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ seq: 1, event: { type: 'tool.output', call: 'c', text: '[redacted]' } });
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
