/** The lines of a file that grows, is cut, is replaced, or is large. */

import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TraceIndex } from '../../lib/modes/trace-index.js';

let folder = '';
let file = '';
let index: TraceIndex | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-'));
  file = join(folder, 't.jsonl');
});
afterEach(() => {
  index?.close();
  index = null;
  rmSync(folder, { recursive: true, force: true });
});

async function opened(content: string): Promise<TraceIndex> {
  writeFileSync(file, content);
  index = await TraceIndex.open(file);
  while (index.extend());
  return index;
}
const lines = (of: TraceIndex) => Array.from({ length: of.count }, (_, at) => of.line(at).text);

test('lines come as they are written; one that is not through is told of by its bytes', async () => {
  const of = await opened('one\ntwo\nthr');
  expect(lines(of)).toEqual(['one', 'two']);
  expect(of.rest).toBe(3);
  appendFileSync(file, 'ee €\n');
  expect(of.extend()).toBe(true);
  expect(lines(of)).toEqual(['one', 'two', 'three €']);
  expect(of.extend()).toBe(false);
  expect(of.rest).toBe(0);
});

test('of a long line a part can be read', async () => {
  const of = await opened(`${'x'.repeat(100)}\nshort\n`);
  expect(of.line(0, 10)).toEqual({ text: 'x'.repeat(10), whole: false });
  expect(of.line(1, 10)).toEqual({ text: 'short', whole: true });
});

test('a file that was cut, and one that another was put in place of, begin anew', async () => {
  const of = await opened('one\ntwo\n');
  expect(await of.reopened()).toBe(false);
  truncateSync(file, 0);
  appendFileSync(file, 'new\n');
  expect(await of.reopened()).toBe(true);
  of.extend();
  expect(lines(of)).toEqual(['new']);
  writeFileSync(join(folder, 'other'), 'a\nb\nc\n');
  renameSync(join(folder, 'other'), file);
  expect(await of.reopened()).toBe(true);
  of.extend();
  expect(lines(of)).toEqual(['a', 'b', 'c']);
});

test('a file that went away stays as it was read', async () => {
  const of = await opened('one\n');
  rmSync(file);
  expect(await of.reopened()).toBe(false);
  expect(lines(of)).toEqual(['one']);
});

test('its first piece is there at once, however large it is', async () => {
  const line = `{"kind":"event","seq":1,"tsMs":1,"event":{"type":"tool.output","text":"${'x'.repeat(900)}"}}\n`;
  writeFileSync(file, line.repeat(20_000));
  index = await TraceIndex.open(file);
  index.extend();
  expect(index.count).toBeGreaterThan(1000);
  expect(index.count).toBeLessThan(20_000);
  while (index.extend());
  expect(index.count).toBe(20_000);
  expect(index.line(19_999).text).toBe(line.trimEnd());
});
