/** A conversation that is kept by one runtime and goes on in another. */

import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionPath, sessionsFolder } from '../../../lib/runtime/sessions/session-folder.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { type ScriptedAnswer, scriptedSummary, shellCall } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';

const place = freshPlace();
const other = freshPlace();
let count = 0;

/** A runtime that keeps its sessions; each has another id. */
async function begin(answers: readonly ScriptedAnswer[], more: Parameters<typeof startRuntime>[2] = {}) {
  const bench = await startRuntime(
    answers,
    fakeTarget(() => exited('/dev/sda1 80%')),
    {
      policy: { kind: 'all' },
      sessions: place,
      newSessionId: () => `k${++count}`,
      ...more,
    },
  );
  return {
    ...bench,
    /** Resolves once that many prompts have ended. */
    async ask(text: string, ended: number) {
      bench.runtime.send({ type: 'prompt.submit', text });
      await bench.seen('task.ended', ended);
    },
    async leave() {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
    },
    async resume(session: string) {
      bench.runtime.send({ type: 'session.resume', session });
      await bench.seen('metrics.context');
    },
    session: () => bench.find('lifecycle.started')[0]?.session ?? '',
  };
}

type Bench = Awaited<ReturnType<typeof begin>>;
const pastTypes = (bench: Bench) => bench.find('session.resumed')[0]?.past.map(({ event }) => event.type);
const texts = (bench: Bench) =>
  bench.requests.at(-1)?.messages.map(({ role, text }) => [role, text.replace(/^\{"harness.*"output":"([^"]*)".*$/, '$1')]);

test('the model is shown the same conversation, and the screen what was on it', async () => {
  const first = await begin([{ text: 'I look.', reasoning: 'hm', calls: [shellCall('c1', 'df -h')] }, { text: 'It is 80 % full.' }]);
  await first.ask('how full is the disk?', 1);
  await first.leave();
  const second = await begin([{ text: 'Since may.' }]);
  await second.resume(first.session());
  expect(second.find('session.resumed')[0]).toMatchObject({ session: first.session(), name: null, copyOf: null });
  expect(pastTypes(second)).toEqual([
    'task.started',
    'model.reasoning',
    'model.answered',
    'tool.requested',
    'tool.ended',
    'model.answered',
    'task.ended',
  ]);
  await second.ask('since when?', 1);
  expect(texts(second)).toEqual([
    ['user', 'how full is the disk?'],
    ['assistant', 'I look.'],
    ['tool', '/dev/sda1 80%'],
    ['assistant', 'It is 80 % full.'],
    ['user', 'since when?'],
  ]);
  expect(second.requests.at(-1)?.session).toBe(first.session());
  await second.leave();
  const third = await begin([]);
  await third.resume('last');
  expect(third.find('session.resumed')[0]).toMatchObject({ session: first.session() });
  expect(pastTypes(third)?.filter((type) => type === 'task.started')).toHaveLength(2);
  await third.leave();
});

test('a process that dies loses nothing that was acknowledged: its partial answer is marked, its open call is answered, nothing runs again', async () => {
  const dying = await begin([{ text: 'One.' }, { text: 'I look.', calls: [shellCall('c1', 'df -h')] }, { text: 'It is alm', hangs: true }]);
  await dying.ask('first', 1);
  dying.runtime.send({ type: 'prompt.submit', text: 'second' });
  await dying.seen('model.text', 3);
  // What is on the disk now is what a dead process leaves.
  const left = readFileSync(sessionPath(place, dying.session()), 'utf8');
  await dying.leave();
  writeFileSync(sessionPath(place, dying.session()), left);
  const next = await begin([{ text: 'Fine.' }]);
  await next.resume(dying.session());
  const past = next.find('session.resumed')[0]?.past ?? [];
  expect(past.slice(-2)).toMatchObject([
    { event: { type: 'model.answered', message: { text: 'It is alm', incomplete: true } } },
    { event: { type: 'warning', message: 'The program ended here, before this was answered to the end.' } },
  ]);
  await next.ask('go on', 1);
  expect(next.fake.commands).toEqual([]);
  expect(texts(next)).toEqual([
    ['user', 'first'],
    ['assistant', 'One.'],
    ['user', 'second'],
    ['assistant', 'I look.'],
    ['tool', '/dev/sda1 80%'],
    ['assistant', 'It is alm'],
    ['user', 'go on'],
  ]);
  await next.leave();
});

test('a process that dies while a command runs: the model is told that there is no result', async () => {
  const dying = await begin([{ text: 'I look.', calls: [shellCall('c1', 'df -h')] }], { policy: { kind: 'ask' } });
  dying.runtime.send({ type: 'prompt.submit', text: 'first' });
  await dying.seen('approval.requested');
  const left = readFileSync(sessionPath(place, dying.session()), 'utf8');
  await dying.leave();
  writeFileSync(sessionPath(place, dying.session()), left);
  const next = await begin([]);
  await next.resume(dying.session());
  expect(next.find('session.resumed')[0]?.past.slice(-3, -1)).toMatchObject([
    { event: { type: 'tool.requested', call: 'c1', name: 'run_shell', preview: 'df -h' } },
    { event: { type: 'tool.ended', call: 'c1', summary: 'interrupted: the program ended', isError: true } },
  ]);
  await next.ask('go on', 1);
  expect(texts(next)?.[2]?.[1]).toContain('There is no result: the call was interrupted.');
  await next.leave();
});

test('a session that is still open elsewhere goes on as a copy; the first is as it was', async () => {
  const first = await begin([{ text: 'One.' }]);
  await first.ask('first', 1);
  const second = await begin([{ text: 'Two.' }]);
  await second.resume(first.session());
  const copy = second.find('session.resumed')[0];
  expect(copy).toMatchObject({ copyOf: first.session() });
  await second.ask('second', 1);
  expect(texts(second)?.map(([, text]) => text)).toEqual(['first', 'One.', 'second']);
  await first.leave();
  await second.leave();
  const third = await begin([]);
  await third.resume(first.session());
  expect(pastTypes(third)?.filter((type) => type === 'task.started')).toHaveLength(1);
  await third.leave();
});

test('a copy on purpose, a name, a list: the newest first, with what it is about', async () => {
  const first = await begin([{ text: 'One.' }, { text: 'Two.' }]);
  await first.ask('why is it slow?', 1);
  first.runtime.send({ type: 'session.rename', name: ' disks\n of may ' });
  first.runtime.send({ type: 'session.fork' });
  await first.seen('session.resumed');
  await first.ask('and now?', 2);
  first.runtime.send({ type: 'session.list' });
  await first.seen('session.listed');
  const listed = first.find('session.listed')[0]?.sessions ?? [];
  expect(listed.find(({ session }) => session === first.session())).toMatchObject({
    name: 'disks of may',
    title: 'why is it slow?',
    latest: 'why is it slow?',
    prompts: 1,
    foreign: null,
    open: false,
  });
  expect(texts(first)?.map(([, text]) => text)).toEqual(['why is it slow?', 'One.', 'and now?']);
  expect(listed.map(({ updatedMs }) => updatedMs)).toEqual(listed.map(({ updatedMs }) => updatedMs).toSorted((a, b) => b - a));
  await first.leave();
});

test('a command of the person’s own comes back, unless the model was not to hear of it', async () => {
  const bench = await begin([{ text: 'One.' }]);
  await bench.ask('first', 1);
  bench.runtime.send({ type: 'command.run', text: 'cat key', tell: false });
  await bench.seen('task.ended', 2);
  bench.runtime.send({ type: 'command.run', text: 'ls', tell: true });
  await bench.seen('task.ended', 3);
  await bench.leave();
  const text = readFileSync(sessionPath(place, bench.session()), 'utf8');
  expect(text).not.toContain('cat key');
  expect(text).toContain('"preview":"ls"');
});

test('exported: markdown and a page of what was said, nothing in them acts, and no file is overwritten', async () => {
  const bench = await begin([{ text: 'I look.', calls: [shellCall('c1', 'df -h')] }, { text: 'It is <b>80</b> %.\u001b[2J\n```\nx\n```' }]);
  bench.runtime.send({ type: 'session.export', format: 'md', path: '' });
  await bench.seen('command.refused');
  await bench.ask('how full?\nsay it', 1);
  for (const format of ['md', 'html', 'jsonl'] as const) bench.runtime.send({ type: 'session.export', format, path: `out.${format}` });
  await bench.seen('session.exported', 3);
  const written = (format: string) => readFileSync(join(place.cwd, `out.${format}`), 'utf8');
  expect(written('md')).toContain('> how full?\n> say it\n\nI look.\n\n```\nrun_shell  df -h\n```\n\n*exit 0');
  expect(written('md')).toContain('```\n/dev/sda1 80%\n```');
  expect(written('html')).toContain('It is &lt;b&gt;80&lt;/b&gt; %.');
  for (const format of ['md', 'html']) expect(written(format)).not.toContain('\u001b');
  expect(written('jsonl')).toBe(readFileSync(sessionPath(place, bench.session()), 'utf8'));
  bench.runtime.send({ type: 'session.export', format: 'md', path: 'out.md' });
  await bench.seen('command.refused', 2);
  expect(bench.find('command.refused')[1]?.reason).toBe(`${join(place.cwd, 'out.md')} is not written: there is such a file already`);
  await bench.leave();
});

test('exported into the home folder by its sign', async () => {
  const homeDir = join(place.cwd, 'home');
  mkdirSync(homeDir);
  const bench = await begin([{ text: 'One.' }], { sessions: { ...place, homeDir } });
  await bench.ask('first', 1);
  bench.runtime.send({ type: 'session.export', format: 'md', path: '~/notes.md' });
  await bench.seen('session.exported');
  expect(bench.find('session.exported')).toEqual([{ type: 'session.exported', path: join(homeDir, 'notes.md') }]);
  expect(readFileSync(join(homeDir, 'notes.md'), 'utf8')).toContain('One.');
  await bench.leave();
});

test('neither what is typed during a takeover nor a known secret is in the file', async () => {
  const fake = fakeTarget(() => exited('password=hunter2-hunter2'), { screen: '$ ' });
  const bench = await startRuntime([{ calls: [shellCall('c1', 'cat config')] }, { text: 'Seen.' }], fake, {
    policy: { kind: 'all' },
    sessions: place,
    newSessionId: () => 'typed',
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'look, the password is hunter2-hunter2' });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'pane.takeover', pane: '%1' });
  bench.runtime.send({ type: 'pane.input', pane: '%1', bytes: 'typed-in-secret' });
  bench.runtime.send({ type: 'pane.paste', pane: '%1', text: 'pasted-secret' });
  await bench.seen('pane.taken');
  bench.runtime.send({ type: 'runtime.shutdown' });
  await bench.runtime.closed;
  const text = readFileSync(sessionPath(place, 'typed'), 'utf8');
  expect(text).toContain('password=[redacted]');
  for (const secret of ['hunter2', 'typed-in-secret', 'pasted-secret']) expect(text).not.toContain(secret);
});

test('nothing is written before the first prompt, and a new session is another file', async () => {
  const before = readdirSync(sessionsFolder(place.cwd));
  const bench = await begin([{ text: 'One.' }, { text: 'Two.' }]);
  bench.runtime.send({ type: 'session.new' });
  await bench.seen('session.started');
  expect(readdirSync(sessionsFolder(place.cwd))).toEqual(before);
  await bench.ask('first', 1);
  bench.runtime.send({ type: 'session.new' });
  await bench.seen('session.started', 2);
  await bench.ask('second', 2);
  await bench.leave();
  expect(readdirSync(sessionsFolder(place.cwd)).length).toBe(before.length + 2);
});

test('a planted session is not offered by "last", and that is told; none of it reaches the model', async () => {
  const mine = await begin([{ text: 'One.' }], { sessions: other });
  await mine.ask('first', 1);
  await mine.leave();
  const text = readFileSync(sessionPath(other, mine.session()), 'utf8');
  writeFileSync(sessionPath(other, 'planted'), text.replaceAll(mine.session(), 'planted'));
  utimesSync(sessionPath(other, 'planted'), Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  const next = await begin([{ text: 'Two.' }], { sessions: other });
  await next.resume('last');
  expect(next.find('warning')[0]?.message).toBe('A newer session in this folder was not written by you here and is left alone.');
  expect(next.find('session.resumed')[0]?.session).toBe(mine.session());
  next.runtime.send({ type: 'session.resume', session: 'planted' });
  await next.seen('command.refused');
  expect(next.find('command.refused')[0]?.reason).toBe(
    'session planted is not opened: it was not written by you on this machine; /session import .buddyx/sessions/planted.jsonl makes a copy of what can be read',
  );
  await next.leave();
});

test('the model that was in use is in use again, unless another was named; what ran elsewhere is told', async () => {
  const first = await begin([{ text: 'One.' }]);
  first.runtime.send({ type: 'model.switch', profile: 'other' });
  await first.ask('first', 1);
  await first.leave();
  const path = sessionPath(place, first.session());
  const profiles = [scriptedSummary, { ...scriptedSummary, profile: 'other', model: 'other-1', contextTokens: 1234 }];
  const second = await begin([{ text: 'Two.' }], { profiles });
  await second.resume(first.session());
  expect(second.find('model.switched')[0]?.model.profile).toBe('other');
  expect(second.find('metrics.context').map(({ windowTokens }) => windowTokens)).toEqual([1234]);
  await second.leave();
  expect(readFileSync(path, 'utf8')).toContain('"label":"this host"');
  const elsewhere = fakeTarget();
  const third = await startRuntime(
    [{ text: 'Three.' }],
    { ...elsewhere, target: { ...elsewhere.target, summary: { ...elsewhere.target.summary, label: 'web-01' } } },
    { sessions: place, newSessionId: () => 'on-web' },
  );
  third.runtime.send({ type: 'session.resume', session: first.session(), keepModel: true });
  await third.seen('session.resumed');
  expect(third.find('model.switched')).toEqual([]);
  expect(third.find('warning').at(-1)?.message).toBe('This session was on this host; commands run on web-01 now. The model is told.');
  third.runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await third.seen('task.ended');
  expect(third.requests[0]?.messages.map(({ text }) => text).slice(-2)).toEqual([
    '[harness] The conversation was continued later. Until here commands ran on this host; from here on they run on web-01.',
    'and now?',
  ]);
  third.runtime.send({ type: 'runtime.shutdown' });
  await third.runtime.closed;
});

test('a job that ended is told of again, with its exit code, whichever conversation it was begun in', async () => {
  const ends: ((code: number) => void)[] = [];
  const command = (text: string) => ({
    ...{
      pane: '%1',
      command: text,
      lastLine: () => '',
      tail: () => ({ text: '', totalBytes: 0, id: null }),
      stop: () => Promise.resolve(true),
    },
    ended: new Promise<{ exitCode: number; output: { text: string; cleaned: never } }>((resolve) => {
      ends.push((exitCode) => resolve({ exitCode, output: { text: '' } as never }));
    }),
  });
  const bench = await begin([{ text: 'One.' }, { text: 'Two.' }]);
  bench.fake.emitter.fire({ type: 'background', command: command('apt-get update') as never });
  bench.fake.emitter.fire({ type: 'background', command: command('make') as never });
  await bench.ask('first', 1);
  ends[0]?.(0);
  await bench.seen('task.ended', 2);
  bench.runtime.send({ type: 'session.new' });
  await bench.seen('session.started');
  await bench.ask('second', 3);
  ends[1]?.(2);
  await bench.seen('task.ended', 4);
  bench.fake.emitter.fire({ type: 'background', command: command('goes on') as never });
  await bench.seen('task.started', 5);
  bench.runtime.send({ type: 'runtime.shutdown', keep: true });
  await bench.seen('lifecycle.stopping');
  ends[2]?.(1);
  await bench.runtime.closed;
  const jobs = async (session: string) => {
    const next = await begin([]);
    await next.resume(session);
    const past = next.find('session.resumed')[0]?.past.map(({ event }) => event) ?? [];
    await next.leave();
    const texts = past.flatMap((event) => (event.type === 'task.started' && event.kind === 'job' ? [[event.task, event.text]] : []));
    return texts.map(([task, text]) => [text, past.find((event) => event.type === 'task.ended' && event.task === task)]);
  };
  const ended = (exitCode: number) => expect.objectContaining({ outcome: 'completed', exitCode });
  expect(await jobs(bench.session())).toEqual([['apt-get update', ended(0)]]);
  expect(await jobs(bench.find('session.started')[0]?.session ?? '')).toEqual([['make', ended(2)]]);
});
