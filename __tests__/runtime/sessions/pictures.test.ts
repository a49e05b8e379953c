/** A session with pictures and files in it: kept, listed, gone on with, exported; and what stands of it in a trace. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelSummary } from '../../../lib/protocol/events.js';
import type { UserMessage } from '../../../lib/protocol/messages.js';
import { isMessage } from '../../../lib/runtime/sessions/message-shape.js';
import { decodeRecord, encodeRecord } from '../../../lib/runtime/sessions/records.js';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { Trace, traced } from '../../../lib/runtime/trace.js';
import { trimmed } from '../../../lib/runtime/trimming.js';
import { fakeTarget } from '../../support/fake-target.js';
import { noise, png } from '../../support/pictures.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { scriptedSummary } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';

const place = freshPlace();
/** Two megabytes that nothing can pack. */
const large = png(900, 800, noise);
const seeing: ModelSummary = { ...scriptedSummary, images: true };
let count = 0;

async function begin() {
  const fake = fakeTarget();
  fake.files.set('/srv/l.png', large);
  fake.files.set('/srv/n.md', Buffer.from('words\n'));
  return startRuntime([{ text: 'I see.' }], fake, { profiles: [seeing], sessions: place, newSessionId: () => `p${++count}` });
}
type Bench = Awaited<ReturnType<typeof begin>>;

async function leave({ runtime }: Bench): Promise<void> {
  runtime.send({ type: 'runtime.shutdown' });
  await runtime.closed;
}

async function kept(): Promise<{ readonly session: string; readonly user: UserMessage | undefined }> {
  const first = await begin();
  first.runtime.send({ type: 'prompt.submit', text: 'see @l.png and @n.md' });
  await first.seen('task.ended');
  await leave(first);
  const user = first.requests[0]?.messages.find((message): message is UserMessage => message.role === 'user');
  return { session: first.find('lifecycle.started')[0]?.session ?? '', user };
}

test('goes on with the very same messages, and its lines on the screen', async () => {
  const { session, user } = await kept();
  expect(large.length).toBeGreaterThan(1_500_000);
  const second = await begin();
  second.runtime.send({ type: 'session.resume', session });
  await second.seen('session.resumed');
  expect(
    second
      .find('session.resumed')[0]
      ?.past.map(({ event }) => event)
      .slice(0, 2),
  ).toEqual([
    { type: 'task.started', task: 'past-4', kind: 'prompt', text: 'see @l.png and @n.md', pane: null },
    {
      type: 'task.attached',
      task: 'past-4',
      attached: [
        { kind: 'image', name: 'l.png', bytes: large.length },
        { kind: 'file', name: 'n.md', bytes: 6 },
      ],
    },
  ]);
  second.runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await second.seen('task.ended');
  expect(second.requests[0]?.messages[0]).toEqual(user);
  await leave(second);
});

test('is listed by its first prompt, however large what came with it was', async () => {
  const { session } = await kept();
  const bench = await begin();
  bench.runtime.send({ type: 'session.list' });
  await bench.seen('session.listed');
  const listed = bench.find('session.listed')[0]?.sessions.find((known) => known.session === session);
  expect(listed).toMatchObject({ title: 'see @l.png and @n.md', latest: 'see @l.png and @n.md', prompts: 1 });
  await leave(bench);
});

test('an export names what came with a prompt', async () => {
  const { session } = await kept();
  const bench = await begin();
  bench.runtime.send({ type: 'session.resume', session });
  await bench.seen('session.resumed');
  const path = join(place.cwd, `out-${session}.md`);
  bench.runtime.send({ type: 'session.export', format: 'md', path });
  await bench.seen('session.exported');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('> see @l.png and @n.md\n\n*+ l.png 2.2 MB, + n.md 6 B*\n');
  expect(text.length).toBeLessThan(1000);
  await leave(bench);
});

test('a record is written fast and a picture in it stays as it is, whatever looks like a secret in it', () => {
  const data = `${'AKIA'.padEnd(20, 'B')}${'A'.repeat(4_000_000)}`;
  const message = { role: 'user', text: 'see', images: [{ mediaType: 'image/png', data, name: 'sk-aaaaaaaaaaaaaaaaaaaaaaaa' }] } as const;
  const line = encodeRecord({ type: 'message', as: 'prompt', message, id: '1', parentId: null, tsMs: 1 }, (text) => {
    if (text.length > 1000) throw new Error('it looked through a picture');
    return text.replace(/sk-a+/, '[redacted]');
  });
  expect(decodeRecord(line)).toMatchObject({ message: { images: [{ data, name: '[redacted]' }] } });
});

test.each([
  ['another type', { mediaType: 'image/svg+xml' }],
  ['what is no base64', { data: 'x"><' }],
  ['no name', { name: 1 }],
  ['a size of nothing', { width: 0 }],
])('%s is no message', (_, change) => {
  const image = { mediaType: 'image/png', data: 'AAAA', name: 'x', width: 1, height: 1 };
  expect(isMessage({ role: 'user', text: 'see', images: [image] })).toBe(true);
  expect(isMessage({ role: 'user', text: 'see', images: [{ ...image, ...change }] })).toBe(false);
  expect(isMessage({ role: 'user', text: 'see', attached: [{ kind: 'spell', name: 'x', bytes: 1, text: '' }] })).toBe(false);
});

test('where the window is tight, old pictures and texts go and their names stay', () => {
  const old: UserMessage = {
    role: 'user',
    text: 'see',
    attached: [{ kind: 'file', name: 'n.md', bytes: 9000, text: 'x'.repeat(9000) }],
    images: [{ mediaType: 'image/png', data: 'AAAA', name: 'x.png', width: 1000, height: 1000 }],
  };
  const answer = { role: 'assistant', text: 'ok', reasoning: '', calls: [], extras: {}, incomplete: false } as const;
  const goal = { targetTokens: 200, tailTokens: 50, saidCharacters: 1000 };
  const [first] = trimmed([old, answer, { role: 'user', text: 'now' }], goal, 1);
  expect(first).toEqual({
    role: 'user',
    text: 'see',
    attached: [{ kind: 'file', name: 'n.md', bytes: 9000, text: '[file n.md (left out to save room; name it again if it is needed)]' }],
  });
});

test('a trace has of a picture its size and its hash', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  const trace = new Trace(
    join(folder, 't.jsonl'),
    (text) => text,
    () => undefined,
  );
  const port = traced({ onEvent: () => ({ dispose: () => undefined }), send: () => undefined }, trace, () => 1);
  port.send({ type: 'prompt.submit', text: 'see', images: [{ mediaType: 'image/png', data: 'A'.repeat(1000), name: 'x.png' }] });
  trace.close();
  const text = readFileSync(join(folder, 't.jsonl'), 'utf8');
  rmSync(folder, { recursive: true });
  expect(text).toContain('"data":"(1000 characters, sha256 ');
  expect(text).not.toContain('AAAA');
});

test('the file is the only place for it', async () => {
  const { session } = await kept();
  expect(readFileSync(sessionPath(place, session), 'utf8').split(large.toString('base64'))).toHaveLength(2);
});
