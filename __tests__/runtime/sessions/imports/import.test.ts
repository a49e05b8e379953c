/** Sessions of buddy, of pi and of other people become sessions of this program: what is in them, and what they are refused for. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openImport, readImport } from '../../../../lib/runtime/sessions/imports/index.js';
import { restored } from '../../../../lib/runtime/sessions/restored.js';
import { beginSession, openSession, sessionPath, sessionsFolder } from '../../../../lib/runtime/sessions/session-folder.js';
import { freshPlace, headerOf } from '../../../support/session-place.js';
import { asLines, buddySession, compactedPiLines, piLines } from './fixtures.js';

const place = freshPlace();
let count = 0;

/** A file with that in it. */
function file(content: string | Buffer): string {
  const path = join(place.cwd, `file-${++count}`);
  writeFileSync(path, content);
  return path;
}

/** Imports it, leaves it, and opens the new session as any other. */
async function imported(content: string) {
  const session = `imported-${++count}`;
  const made = openImport(place, readImport(file(content)), session, 'this host');
  await made.log.close();
  const opened = openSession(place, session, () => 'x');
  await opened.log.close();
  expect(opened.records).toEqual(made.records);
  return { ...restored(opened.records), notices: made.notices, header: opened.header };
}

const shortened = ({ messages }: Awaited<ReturnType<typeof imported>>) =>
  messages.map((message) => {
    if (message.role !== 'assistant') return `${message.role} ${message.role === 'tool' ? `${message.callId} ` : ''}${message.text}`;
    return `assistant ${message.text}|${message.reasoning}|${message.calls.map(({ id, name }) => `${id} ${name}`).join(', ')}${message.incomplete ? '|cut' : ''}`;
  });

test('one of buddy: calls with their results, ids that are used once, and one sentence about the rest', async () => {
  const session = await imported(JSON.stringify(buddySession, null, 2));
  expect(shortened(session).map((line) => line.replace(/"unix_millis":\d+/, '"unix_millis":N'))).toEqual([
    'user how full is the disk?',
    'assistant |I should look.|call_0 run_shell, call_1 time',
    'tool call_0 {"harness_timestamp":{"source":"harness","unix_millis":N},"result":{"stdout":"/dev/sda1 80%","exit_code":0}}',
    'tool call_1 {"harness_timestamp":{"source":"harness","unix_millis":N},"result":{"error":"There is no result in the imported session."}}',
    'assistant It is 80 % full.||',
    'user and this picture?',
    'assistant ||call_0-2 read_file',
    'tool call_0-2 {"harness_timestamp":{"source":"harness","unix_millis":N},"result":{"output":"UUID=1 / ext4"}}',
    'assistant I see no picture.||',
  ]);
  expect(session.notices).toEqual([
    'Not taken over from the imported session: 1 image, 1 message of an unknown role, 1 result without a call.',
  ]);
  expect([session.prompts, session.latest, session.header.parent]).toEqual([2, 'and this picture?', '0a1b-2c3d-4e5f-6071']);
  expect(session.past.map(({ event }) => event.type)).toEqual([
    ...[
      'task.started',
      'model.reasoning',
      'model.answered',
      'tool.requested',
      'tool.ended',
      'tool.requested',
      'tool.ended',
      'model.answered',
    ],
    ...['task.ended', 'task.started', 'model.answered', 'tool.requested', 'tool.ended', 'model.answered', 'task.ended'],
  ]);
});

test('one of pi: the branch it stands on, thoughts as text, commands of the person as notes, its name', async () => {
  const session = await imported(asLines(piLines));
  expect(shortened(session).map((line) => line.replace(/"unix_millis":\d+/, '"unix_millis":N'))).toEqual([
    'user list the files',
    'assistant I look.|ls will do|toolu_01 bash, toolu_02 read',
    'tool toolu_01 {"harness_timestamp":{"source":"harness","unix_millis":N},"result":{"output":"a.png"}}',
    'tool toolu_02 {"harness_timestamp":{"source":"harness","unix_millis":N},"result":{"output":"a picture"}}',
    'assistant There is a.png.||',
    'user [harness] The person ran a command themselves: pwd\nIt ended with exit code 0 and printed:\n/srv/web',
    'user [harness] an extension says',
    'user remove it',
    'assistant I wi|||cut',
  ]);
  expect(session.notices).toEqual(['Not taken over from the imported session: 1 entry of another branch, 1 image, 1 label.']);
  expect([session.name, session.prompts]).toEqual(['the pictures', 2]);
  const ends = session.past.flatMap(({ event }) => (event.type === 'task.ended' ? event.outcome : []));
  expect(ends).toEqual(['completed', 'cancelled']);
});

test('one of pi that was made smaller: the model is shown the summary and what was kept, a person all of it', async () => {
  const session = await imported(asLines(compactedPiLines));
  const [recap, ...rest] = shortened(session);
  expect(recap).toMatch(/^user <earlier-conversation>[\s\S]*1\. list the files[\s\S]*The files were listed\./);
  expect(rest).toEqual(['assistant There is a.png.||', 'user and now?', 'assistant Nothing.||']);
  expect(session.past.flatMap(({ event }) => (event.type === 'task.started' ? event.text : []))).toEqual(['list the files', 'and now?']);
  expect(session.past.find(({ event }) => event.type === 'context.compacted')?.event).toMatchObject({ tokensBefore: 50_000 });
});

test('one of this program, of somebody else and of a later version: what can be read of it, and its file stays as it is', async () => {
  const log = beginSession({ ...place, key: Buffer.from('of another person') }, headerOf(place, 'theirs'));
  log.append({ type: 'message', as: 'prompt', message: { role: 'user', text: 'hello' } });
  log.append({ type: 'end', outcome: 'completed', error: null, name: null, prompts: 1, latest: 'hello' });
  await log.close();
  const path = sessionPath(place, 'theirs');
  expect(() => openSession(place, 'theirs', () => 'x')).toThrow('it was not written by you on this machine');
  const text = readFileSync(path, 'utf8').replace('"format":1', '"format":999').replace('"type":"end"', '"type":"END"');
  expect((await imported(readFileSync(path, 'utf8'))).notices).toEqual([]);
  writeFileSync(path, text);
  expect(() => openSession(place, 'theirs', () => 'x')).toThrow('another version of the program wrote it');
  const session = await imported(text);
  expect(shortened(session)).toEqual(['user hello']);
  expect(session.notices).toEqual([
    'It was written by another version (format 999): this is what could be read.',
    '1 line of the imported session could not be read.',
  ]);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const header = JSON.stringify(piLines[0]);
const entry = (more: object) => JSON.stringify({ type: 'message', timestamp: 'x', message: { role: 'user', content: 'x' }, ...more });

test.each([
  ['empty', '', 'it is no session of buddy, of pi or of this program'],
  ['bytes', Buffer.from([0, 255, 254, 10, 0]), 'it is no session of buddy, of pi or of this program'],
  ['JSON of something else', '{"a":1}', 'it is no session of buddy, of pi or of this program'],
  ['of buddy, of a later version', '{"version":2,"state":{"messages":[]}}', 'it is a session of version 2, which is not known'],
  ['of buddy, without messages', '{"version":1,"state":{}}', 'it has no messages'],
  ['of buddy, with nothing said', '{"version":1,"state":{"messages":[{"role":"system","content":"x"}]}}', 'there is no conversation in it'],
  ['of buddy, nested', `{"version":1,"state":{"messages":${deep}}}`, 'line 1: it is nested too deep'],
  ['of pi, of a later version', '{"type":"session","version":99,"id":"a"}\n', 'line 1: it is a session of version 99, which is not known'],
  ['of pi, a line that is no JSON', `${header}\n{"type":\n${entry({ id: 'a' })}\n`, 'line 2: it is no JSON'],
  ['of pi, a line that is no object', `${header}\n[1]\n`, 'line 2: it is no entry'],
  ['of pi, nested', `${header}\n{"id":"a","type":"custom","data":${deep}}\n`, 'line 2: it is nested too deep'],
  ['of pi, without an id', `${header}\n${entry({})}\n`, 'line 2: it is an entry without an id'],
  [
    'of pi, an id twice',
    `${header}\n${entry({ id: 'a' })}\n${entry({ id: 'a', parentId: 'a' })}\n`,
    'line 3: there is an entry with that id already',
  ],
  [
    'of pi, a circle',
    `${header}\n${entry({ id: 'a', parentId: 'b' })}\n${entry({ id: 'b', parentId: 'a' })}\n`,
    'line 2: it follows an entry that comes after it',
  ],
  ['of pi, a lost parent', `${header}\n${entry({ id: 'b', parentId: 'a' })}\n`, 'line 2: it follows an entry that there is not'],
  [
    'of this program, without a record',
    '{"type":"session","format":1,"session":"a","createdMs":1,"cwd":"/","target":"x"}\n',
    'there is no conversation in it',
  ],
  ['of this program, a damaged first line', '{"type":"session","format":1}\n', 'line 1: the line is damaged'],
])('%s: refused in one sentence, and nothing is made', (_, content, reason) => {
  const before = existsSync(sessionsFolder(place.cwd)) ? readdirSync(sessionsFolder(place.cwd)) : [];
  const path = file(content);
  expect(() => readImport(path)).toThrow(`${path}${reason.startsWith('line') ? ', ' : ': '}${reason}; nothing was imported`);
  expect(existsSync(sessionsFolder(place.cwd)) ? readdirSync(sessionsFolder(place.cwd)) : []).toEqual(before);
});

test('what is no regular file, or larger than any session, is refused without being read', () => {
  const large = file('x');
  truncateSync(large, 300 * 1024 * 1024);
  expect(() => readImport(large)).toThrow('it is larger than 256 MB; nothing was imported');
  const pipe = join(place.cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => readImport(pipe)).toThrow('is no regular file');
  const folder = join(place.cwd, 'folder');
  mkdirSync(folder);
  expect(() => readImport(folder)).toThrow('is no regular file');
  expect(() => readImport(join(place.cwd, 'none'))).toThrow('no such file or folder');
});

test('a last line that was never finished is left out and said', async () => {
  const session = await imported(`${asLines(piLines.slice(0, 7))}{"type":"mess`);
  expect(session.notices).toEqual(['Not taken over from the imported session: 1 line that was never finished, 1 image.']);
  expect(shortened(session)).toHaveLength(5);
});
