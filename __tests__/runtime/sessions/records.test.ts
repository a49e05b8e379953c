/** One record as a line: what comes back, what is masked, and that damage is seen. */

import fc from 'fast-check';
import { createRedactor } from '../../../lib/policy/redaction.js';
import type { AssistantMessage } from '../../../lib/protocol/messages.js';
import { decodeRecord, encodeRecord, type SessionRecord } from '../../../lib/runtime/sessions/records.js';

const redact = createRedactor(['hunter2-hunter2']);
const at = { id: '7', parentId: '6', tsMs: 1_700_000_000_000 };
const answer: AssistantMessage = {
  role: 'assistant',
  text: 'It is \u202e full.\n\u2028',
  reasoning: 'hm',
  calls: [{ id: 'c1', name: 'run_shell', argsText: '{"command":"df"' }],
  extras: { origin: { api: 'responses' }, items: [{ encrypted_content: 'gAAAAB=' }], __proto__x: 1 },
  incomplete: false,
};

test('a record comes back as it was, with fields that are not known here', () => {
  const record: SessionRecord = { ...at, type: 'message', message: { ...answer, ...{ later: [1, { two: 2 }] } } };
  const line = encodeRecord(record, redact);
  expect(line).not.toMatch(/[\n\u202e\u2028]/);
  expect(decodeRecord(line)).toEqual(record);
});

test('any text comes back, also when it is not well formed or looks like the checksum', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const record: SessionRecord = { ...at, type: 'message', as: 'prompt', message: { role: 'user', text: `${text},"crc":"00000000"}` } };
      expect(decodeRecord(encodeRecord(record, (of) => of))).toEqual(record);
    }),
  );
});

test('one changed byte anywhere and the line is no record', () => {
  const line = encodeRecord({ ...at, type: 'name', name: 'disks' }, redact);
  for (let place = 0; place < line.length; place++) {
    const other = line[place] === 'x' ? 'y' : 'x';
    expect(decodeRecord(`${line.slice(0, place)}${other}${line.slice(place + 1)}`)).toBeNull();
    expect(decodeRecord(line.slice(0, place))).toBeNull();
  }
});

test('secrets are masked; extras that hold one, or are nested beyond reason, are left out and not changed', () => {
  const line = encodeRecord(
    { ...at, type: 'message', message: { ...answer, text: 'it is hunter2-hunter2', extras: { s: 'hunter2-hunter2' } } },
    redact,
  );
  expect(line).not.toContain('hunter2');
  expect(decodeRecord(line)).toMatchObject({ message: { text: 'it is [redacted]', extras: {} } });
  let deep: unknown = 1;
  for (let count = 0; count < 100_000; count++) deep = [deep];
  expect(decodeRecord(encodeRecord({ ...at, type: 'message', message: { ...answer, extras: { deep } } }, redact))).toMatchObject({
    message: { extras: {} },
  });
});

test('what is sound by its checksum and makes no sense is no record', () => {
  const told = (body: object) => decodeRecord(encodeRecord({ ...at, ...body } as unknown as SessionRecord, redact));
  expect(told({ type: 'message', message: { role: 'assistant', text: 'x', extras: {} } })).toBeNull();
  expect(told({ type: 'message', message: {} })).toBeNull();
  expect(told({ type: 'constructor' })).toBeNull();
  expect(told({ type: 'context', messages: [1], tokens: null })).toBeNull();
  expect(told({ type: 'end', outcome: 'completed', error: {}, name: null, prompts: 1, latest: '' })).toBeNull();
  expect(told({ type: 'name', name: 'fine' })).not.toBeNull();
});

test('a recap and the tokens of a context have all that they are read for', () => {
  const told = (body: object) => decodeRecord(encodeRecord({ ...at, ...body } as unknown as SessionRecord, redact));
  const recap = { said: ['one'], unsaid: 2, summary: 'x' };
  const withRecap = (of: unknown) => ({ type: 'message', as: 'note', message: { role: 'user', text: 'x', recap: of } });
  expect(told(withRecap(recap))).not.toBeNull();
  for (const wrong of [
    null,
    [],
    'x',
    { ...recap, said: 'one' },
    { ...recap, said: [1] },
    { ...recap, unsaid: '2' },
    { ...recap, summary: null },
  ]) {
    expect(told(withRecap(wrong))).toBeNull();
    expect(told({ type: 'context', messages: [withRecap(wrong).message], tokens: null })).toBeNull();
  }
  const tokens = { before: 9, after: 1, trimmed: false };
  expect(told({ type: 'context', messages: ['1'], tokens })).not.toBeNull();
  for (const wrong of [{}, [], undefined, { ...tokens, before: '9' }, { ...tokens, after: null }, { ...tokens, trimmed: 1 }])
    expect(told({ type: 'context', messages: ['1'], tokens: wrong })).toBeNull();
});
