/** A trace of a resumed session is not as large as the session: the newest part of its past is in it, and how much is not. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../lib/base/emitter.js';
import type { PastEvent, RuntimeEvent, RuntimeEventEnvelope } from '../../lib/protocol/events.js';
import { Trace, traced } from '../../lib/runtime/trace.js';

const MIB = 1 << 20;

/** Prompts with an answer each, of about so many characters in all. */
function pastOf(turns: number, characters: number): readonly PastEvent[] {
  return Array.from({ length: turns }, (_, n): readonly PastEvent[] => {
    const task = `past-${n}`;
    const text = `answer ${n} ${'x'.repeat(Math.floor(characters / turns))}`;
    return [
      { tsMs: n, event: { type: 'task.started', task, kind: 'prompt', text: `prompt ${n}`, pane: null } },
      { tsMs: n, event: { type: 'model.text', task, text } },
      { tsMs: n, event: { type: 'task.ended', task, outcome: 'completed', exitCode: 0, error: null } },
    ];
  }).flat();
}

/** The event as it is in the file. */
function written(event: RuntimeEvent): RuntimeEvent & { readonly past: readonly PastEvent[] } {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  try {
    const path = join(folder, 'trace.jsonl');
    const trace = new Trace(
      path,
      (text) => text,
      () => undefined,
    );
    const events = new Emitter<RuntimeEventEnvelope>();
    traced({ onEvent: events.event, send: () => undefined }, trace, () => 1);
    events.fire({ seq: 1, tsMs: 1, event });
    trace.close();
    return JSON.parse(readFileSync(path, 'utf8').split('\n')[1] ?? '').event;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the past of a small session is written whole', () => {
  const past = pastOf(30, 30_000);
  const event: RuntimeEvent = { type: 'session.resumed', session: 's', name: null, copyOf: null, past };
  expect(written(event)).toEqual(event);
});

test.each([
  ['resumed', (past: readonly PastEvent[]): RuntimeEvent => ({ type: 'session.resumed', session: 's', name: null, copyOf: null, past })],
  ['gone on in from elsewhere', (past: readonly PastEvent[]): RuntimeEvent => ({ type: 'session.branched', past, text: null })],
])('of a large one that is %s the end is, from where a task begins, and what is left out is told', (_, eventOf) => {
  const past = pastOf(1000, 8 * MIB);
  const found = written(eventOf(past));
  expect(JSON.stringify(found).length).toBeLessThan(1.1 * MIB);
  expect(JSON.stringify(found).length).toBeGreaterThan(0.9 * MIB);
  const [told, ...kept] = found.past;
  expect(kept).toEqual(past.slice(-kept.length));
  expect(kept[0]?.event).toMatchObject({ type: 'task.started' });
  const message = `${past.length - kept.length} earlier events of this session are not in the trace: they are in its own file.`;
  expect(told?.event).toEqual({ type: 'warning', message });
});

test('one that is larger than the room by itself is left out as well', () => {
  const found = written({ type: 'session.branched', past: pastOf(1, 2 * MIB).slice(0, 2), text: null });
  expect(found.past.map(({ event }) => event.type)).toEqual(['warning']);
});
