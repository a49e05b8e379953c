/** What the manual says of events is what they are made of. */

import { readFileSync } from 'node:fs';
import { eventRows } from '../../lib/protocol/event-rows.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { objectRows, variantRows } from '../../lib/protocol/object-rows.js';
import { createRandom } from '../screen/fuzz/random.js';
import { anyEvent } from '../screen/fuzz/runtime-events.js';

const random = createRandom(7);
const events: readonly RuntimeEvent[] = Array.from({ length: 4000 }, () => anyEvent(random, 1_700_000_000_000));

test('every field of every event has words', () => {
  for (const event of events) {
    const { type, ...fields } = event;
    expect([type, Object.keys(eventRows[type].fields)]).toEqual([type, expect.arrayContaining(Object.keys(fields))]);
  }
});

/** Where such objects are in an event. */
const places: Readonly<Record<string, (event: RuntimeEvent) => unknown>> = {
  model: (event) => (event.type === 'model.switched' ? event.model : null),
  target: (event) => (event.type === 'target.changed' ? event.target : null),
  question: (event) => (event.type === 'approval.requested' ? event.request : null),
  offer: (event) => (event.type === 'approval.requested' ? event.request.rule : null),
  rule: (event) => (event.type === 'approval.ruled' ? event.rule : null),
  answer: (event) => (event.type === 'model.answered' ? event.message : null),
  usage: (event) => (event.type === 'model.answered' ? event.usage : null),
  screen: (event) => (event.type === 'pane.screen' ? event.screen : null),
  row: (event) => (event.type === 'pane.screen' ? event.screen.rows[0] : null),
  output: (event) => (event.type === 'task.output' ? event.output : null),
  session: (event) => (event.type === 'session.listed' ? event.sessions[0] : null),
  entry: (event) => (event.type === 'tree.told' ? event.entries[0] : null),
};

test.each(Object.keys(places))('and so has every field of %s', (name) => {
  const found = events.map((event) => places[name]?.(event) ?? null).filter((value) => value !== null);
  expect(found.length).toBeGreaterThan(0);
  for (const value of found) expect(Object.keys(objectRows[name] ?? {})).toEqual(expect.arrayContaining(Object.keys(value as object)));
});

test('an object that is named has a row, and the page in the manual has all of them', () => {
  const known = [...Object.keys(objectRows), ...Object.keys(variantRows)];
  const words = [...Object.values(eventRows).map(({ fields }) => fields), ...Object.values(objectRows)].flatMap((fields) =>
    Object.values(fields),
  );
  const named = words.flatMap((of) => /^list of (?!objects |texts)([a-z ]+?)(?:s?[,:.]|s that)/.exec(of)?.[1] ?? []);
  expect(named).toEqual(expect.arrayContaining(['model', 'session', 'rule', 'question', 'row']));
  for (const name of named) expect(known).toContain(name.replace(/ie$/, 'y'));
  const page = readFileSync('man/buddy-tui-rpc.7', 'utf8').replaceAll('\\-', '-');
  for (const name of [...Object.keys(eventRows), ...known]) expect(page).toContain(`.B ${name}\n`);
});
