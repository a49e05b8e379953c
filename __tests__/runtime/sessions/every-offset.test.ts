/** A session of three turns with tools, cut at every byte: it opens with exactly what was whole, and goes on behind it. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../../lib/protocol/messages.js';
import { repaired } from '../../../lib/runtime/history.js';
import { restored } from '../../../lib/runtime/sessions/restored.js';
import { openSession, sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { readSessionLines } from '../../../lib/runtime/sessions/session-lines.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { shellCall } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';

/** In memory where there is such a place: each of thousands of opened files is synced. */
const cwd = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sessions-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const place = { ...freshPlace(), cwd };
const SESSION = 'three-turns';
const path = sessionPath(place, SESSION);
const tornPath = sessionPath(place, SESSION, 'torn');

/** What three prompts with a tool call each leave on the disk. */
async function threeTurns(): Promise<Buffer> {
  const answers = [1, 2, 3].flatMap((turn) => [
    { text: `I look – ü ${turn}.`, calls: [shellCall(`c${turn}`, `echo ${turn}`)] },
    { text: `It is ${turn}.` },
  ]);
  const { runtime, seen } = await startRuntime(
    answers,
    fakeTarget(() => exited('1 😀')),
    { policy: { kind: 'all' }, sessions: place, newSessionId: () => SESSION },
  );
  for (const turn of [1, 2, 3]) {
    runtime.send({ type: 'prompt.submit', text: `turn ${turn}` });
    await seen('task.ended', turn);
  }
  runtime.send({ type: 'runtime.shutdown' });
  await runtime.closed;
  return readFileSync(path);
}

/** Each call has its one result behind it; the other way round as well. */
function expectPaired(messages: readonly Message[]): void {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : []));
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.callId : []));
  expect(results.filter((id) => !calls.includes(id))).toEqual([]);
  expect(new Set(results).size).toBe(results.length);
}

let whole: Buffer;
beforeAll(async () => {
  whole = await threeTurns();
});

test('at every byte: the records before it, no other; the rest is put aside; what comes then is whole', async () => {
  const all = readSessionLines(whole);
  const complete = restored(all.records);
  expect([all.damaged, complete.prompts, all.wholeLength]).toEqual([0, 3, whole.length]);
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? at + 1 : []));
  const headerLength = ends[0] ?? 0;
  for (let length = 0; length <= whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    rmSync(tornPath, { force: true });
    if (length < headerLength) {
      expect(() => openSession(place, SESSION, () => 'x')).toThrow('its first line is damaged');
      continue;
    }
    const kept = ends.filter((end) => end <= length);
    const { records, log, notices } = openSession(place, SESSION, () => 'x');
    expect(JSON.stringify(records)).toBe(JSON.stringify(all.records.slice(0, kept.length - 1)));
    const { messages, prompts } = restored(records);
    expect(prompts).toBe(records.filter(({ type }) => type === 'end').length);
    const sound = records.flatMap((record) => (record.type === 'message' ? record.message : []));
    expect(JSON.stringify(messages.slice(0, sound.length))).toBe(JSON.stringify(complete.messages.slice(0, sound.length)));
    expectPaired(messages);
    const torn = whole.subarray(kept.at(-1), length);
    expect((existsSync(tornPath) ? readFileSync(tornPath) : Buffer.alloc(0)).equals(torn)).toBe(true);
    expect(notices).toHaveLength(torn.length > 0 ? 1 : 0);
    log.append({ type: 'name', name: 'after' });
    await log.close();
    const now = readFileSync(path);
    expect(now.subarray(0, kept.at(-1)).equals(whole.subarray(0, kept.at(-1)))).toBe(true);
    const again = readSessionLines(now);
    expect(again.damaged).toBe(0);
    const order = again.records.map(({ id, parentId, type }) => `${parentId ?? '-'} ${id} ${type}`);
    const before = all.records.slice(0, kept.length - 1).map(({ id, parentId, type }) => `${parentId ?? '-'} ${id} ${type}`);
    expect(order.join()).toBe([...before, `${before.length === 0 ? '-' : before.length} ${before.length + 1} name`].join());
  }
}, 120_000);

test('any byte that rots in the middle: the line is counted, all others are there, and the file is kept as it is', async () => {
  const all = readSessionLines(whole).records;
  const starts = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? at + 1 : []));
  const headerLength = starts[0] ?? 0;
  for (let at = headerLength; at < whole.length - 1; at += 7) {
    const rotten = Buffer.from(whole);
    rotten[at] = (rotten[at] ?? 0) ^ 0x04;
    if (whole[at] === 0x0a || rotten[at] === 0x0a) continue;
    writeFileSync(path, rotten);
    const line = starts.findLastIndex((start) => start <= at);
    const { records, log, notices } = openSession(place, SESSION, () => 'x');
    expect(JSON.stringify(records)).toBe(JSON.stringify(all.filter((_, place) => place !== line)));
    expect(notices).toEqual([`1 damaged line of session ${SESSION} could not be read`]);
    // A result whose call is lost is not sent to a model.
    expectPaired(repaired(restored(records).messages, 0));
    await log.close();
    expect(readFileSync(path).equals(rotten)).toBe(true);
  }
}, 60_000);
