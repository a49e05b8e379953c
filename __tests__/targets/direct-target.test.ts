/** Commands without tmux: groups of processes that end whole. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAlive, HeldClock, never, type OpenTarget, pidIn, TargetTests, untilGone } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());
const start = (options: Parameters<TargetTests['start']>[0] = {}): Promise<OpenTarget> => tests.start({ via: 'direct', ...options });

test('gives exit codes and output', async () => {
  const { run, target } = await start();
  expect(target.tmux).toBeNull();
  expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({ kind: 'exited', exitCode: 3, output: { totalLines: 2 } });
  expect(await run('kill -9 $$')).toMatchObject({ kind: 'exited', exitCode: 137 });
  expect(await run('no_such_command_xyz')).toMatchObject({ kind: 'exited', exitCode: 127 });
  expect(await run("echo 'open")).toMatchObject({ kind: 'exited' });
  expect(await run('cat')).toMatchObject({ kind: 'exited', exitCode: 0 });
});

test('keeps the working directory between commands, also after exit', async () => {
  const { run, target, home, events } = await start();
  mkdirSync(join(home, 'sub folder'));
  await run('cd "sub folder"; exit 1');
  expect(await run('pwd')).toMatchObject({ output: { text: `${realpathSync(home)}/sub folder\n` } });
  expect(target.summary).toMatchObject({ via: 'direct', cwd: `${realpathSync(home)}/sub folder`, attach: null });
  expect(events).toMatchObject([{ type: 'summary' }]);
});

test('a folder that is gone is told, and so is a command that no shell can take', async () => {
  const { run, home } = await start();
  await run('mkdir gone && cd gone && rmdir ../gone');
  expect(await run('true')).toMatchObject({ kind: 'lost', reason: expect.stringContaining(`could not be started in ${home}`) });
  await expect(run('a\0b')).rejects.toMatchObject({ code: 'target.command' });
});

test('cancel ends the whole group', async () => {
  const opened = await start();
  const cancel = new AbortController();
  const outcome = opened.run('sh -c \'echo $$ >pid; trap "" TERM; while :; do sleep 1; done\'; true', { kind: 'exit' }, cancel.signal);
  const pid = await pidIn(opened.home, 'pid');
  cancel.abort();
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
  await untilGone(pid);
});

test('a signal that has fired already runs nothing', async () => {
  const opened = await start();
  expect(await opened.run('touch ran', { kind: 'exit' }, AbortSignal.abort())).toMatchObject({ kind: 'cancelled', stopped: true });
  expect(existsSync(join(opened.home, 'ran'))).toBe(false);
});

test('a daemon that keeps the output open holds nothing up', async () => {
  const opened = await start();
  expect(await opened.run('sleep 600 & echo $! >pid; echo done')).toMatchObject({
    kind: 'exited',
    exitCode: 0,
    output: { text: 'done\n' },
  });
  const pid = await pidIn(opened.home, 'pid');
  spawnSync('kill', [String(pid)]);
  await expectAlive(opened);
});

test('after the time is over it goes on, several at once, and can be stopped', async () => {
  const clock = new HeldClock(77_777);
  const opened = await start({ clock });
  const onChunk = () => clock.fire();
  const outcome = await opened.target.run(
    { command: 'echo first; sleep 600', wait: { kind: 'for', ms: 77_777 } },
    { signal: never, onChunk },
  );
  if (outcome.kind !== 'running') throw new Error(outcome.kind);
  expect(outcome.output.text).toBe('first\n');
  await expectAlive(opened);
  expect(await outcome.background.stop(never)).toBe(true);
  expect(await outcome.background.ended).toMatchObject({ exitCode: 143 });
});

test('close ends what still runs', async () => {
  const opened = await start();
  const outcome = await opened.run('echo $$ >pid; sleep 600; true', { kind: 'none' });
  const pid = await pidIn(opened.home, 'pid');
  await opened.target.close();
  await untilGone(pid);
  expect(outcome).toMatchObject({ kind: 'running', reason: 'detached' });
  await expect(opened.run('true')).rejects.toMatchObject({ code: 'target.closed' });
});

describe('files', () => {
  test('reads a range of a regular file, and nothing else', async () => {
    const { target, home, run } = await start();
    writeFileSync(join(home, 'f'), 'hello world');
    const read = (path: string) => target.readFile(path, { offset: 6, limit: 3 }, never);
    expect(Buffer.from((await read('f')).bytes).toString()).toBe('wor');
    expect(await read('~/f')).toMatchObject({ size: 11 });
    await expect(read('none')).rejects.toMatchObject({ code: 'target.file', message: `cannot read ${home}/none: no such file or folder` });
    await expect(read(home)).rejects.toMatchObject({ message: expect.stringContaining('it is a folder') });
    await expect(read('/dev/zero')).rejects.toMatchObject({ message: 'cannot read /dev/zero: it is no regular file' });
    await run('mkfifo pipe');
    await expect(read('pipe')).rejects.toMatchObject({ message: expect.stringContaining('it is no regular file') });
    expect((await target.readFile('/proc/self/status', { offset: 0, limit: 5 }, never)).bytes).toHaveLength(5);
  });

  test('writes whole files, keeps their mode, follows links and makes folders', async () => {
    const { target, home } = await start();
    writeFileSync(join(home, 'script'), 'old');
    chmodSync(join(home, 'script'), 0o755);
    symlinkSync('script', join(home, 'link'));
    await target.writeFile('link', Buffer.from('new'), never);
    expect(readFileSync(join(home, 'script'), 'utf8')).toBe('new');
    expect(statSync(join(home, 'script')).mode & 0o777).toBe(0o755);
    await target.writeFile('deep/er/f', Buffer.from('x'), never);
    expect(existsSync(join(home, 'deep/er/f'))).toBe(true);
    await expect(target.writeFile('deep', Buffer.from('x'), never)).rejects.toMatchObject({ code: 'target.file' });
    await expect(target.writeFile('g', Buffer.from('x'), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(join(home, 'g'))).toBe(false);
  });
});
