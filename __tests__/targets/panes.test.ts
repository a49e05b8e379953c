/** Further panes and sessions of ours on real tmux: made and ended within limits, each with a shell, a folder and an end of its own. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuddyError } from '../../lib/base/errors.js';
import type { PaneId } from '../../lib/protocol/panes.js';
import { until } from '../support/until.js';
import { expectAlive, never, noticesOf, type OpenTarget, pidIn, TargetTests, untilGone } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

function client(opened: OpenTarget) {
  const { tmux } = opened.target;
  if (tmux === null) throw new Error('no tmux');
  return tmux;
}

/** Runs in that pane. */
function runIn(opened: OpenTarget, pane: PaneId, command: string, signal = never) {
  return opened.target.run({ command, wait: { kind: 'exit' }, pane }, { signal, onChunk: () => undefined });
}

async function refusedWith(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (thrown) {
    const { code, message } = thrown as BuddyError;
    return `${code}: ${message}`;
  }
  return 'nothing';
}

test('a second pane runs beside the shared one, with its own folder, environment and exit codes', async () => {
  const opened = await tests.start();
  const tmux = client(opened);
  const made = await tmux.createPane({ pane: 'Build' }, never);
  expect(made).toEqual({ session: 'buddy-test', pane: expect.stringMatching(/^%\d+$/), title: 'build', created: true });
  const waiting = opened.run('until [ -e go ]; do sleep 0.02; done; echo shared done');
  await runIn(opened, made.pane, 'cd /; X=mine');
  expect(await runIn(opened, made.pane, 'pwd; echo $X; (exit 7)')).toMatchObject({
    kind: 'exited',
    exitCode: 7,
    output: { text: '/\nmine\n' },
  });
  expect(tmux.panes().map(({ title, cwd, state }) => [title, cwd, state.kind])).toEqual([
    ['shared', opened.home, 'running'],
    ['build', '/', 'idle'],
  ]);
  expect(opened.target.summary.cwd).toBe(opened.home);
  writeFileSync(join(opened.home, 'go'), '');
  expect(await waiting).toMatchObject({ exitCode: 0, output: { text: 'shared done\n' } });
  expect(await tmux.createPane({ pane: 'build' }, never)).toEqual({ ...made, created: false });
});

test('a pane that is killed ends what runs in it, tells so and leaves nothing; the shared one is protected', async () => {
  const opened = await tests.start();
  const tmux = client(opened);
  const { pane } = await tmux.createPane({ pane: 'work' }, never);
  const running = runIn(opened, pane, 'echo $$ >pid; sleep 600');
  const pid = await pidIn(opened.home, 'pid');
  const home = /\/tmp\/buddy-\w{6}/.exec((await opened.run("tr '\\0' ' ' </proc/$$/cmdline")).raw)?.[0] ?? '';
  const folders = () => readdirSync(home).filter((name) => existsSync(join(home, name, 'status')));
  expect(folders()).toEqual(['1']);
  await tmux.killPane({ pane: 'work' }, never);
  expect(await running).toMatchObject({ kind: 'lost', reason: 'the pane was closed' });
  await untilGone(pid);
  expect(folders()).toEqual([]);
  expect(opened.events.filter((event) => event.type === 'pane.closed')).toEqual([{ type: 'pane.closed', pane }]);
  expect(await refusedWith(() => tmux.find({ pane: 'work' }))).toBe('target.pane: there is no pane "work" of this program');
  expect(await refusedWith(tmux.killPane({ pane: 'shared' }, never))).toBe('target.pane: the shared pane of a session cannot be killed');
  await expectAlive(opened);
});

test('limits hold, also for calls at the same moment', async () => {
  const opened = await tests.start({ maxPanes: 2, maxSessions: 2 });
  const tmux = client(opened);
  const made = await Promise.all([refusedWith(tmux.createPane({ pane: 'a' }, never)), refusedWith(tmux.createPane({ pane: 'b' }, never))]);
  expect(made).toEqual(['nothing', 'target.limit: at most 2 panes are allowed in a session']);
  const sessions = await Promise.all([refusedWith(tmux.createSession('one', never)), refusedWith(tmux.createSession('two', never))]);
  expect(sessions).toEqual(['nothing', 'target.limit: at most 2 sessions are allowed']);
});

test('a further session has a shared pane of its own and ends without a trace', async () => {
  const opened = await tests.start({ maxSessions: 2 });
  const tmux = client(opened);
  const made = await tmux.createSession('Deploy', never);
  expect(made).toMatchObject({ session: 'buddy-test-deploy', title: 'shared', created: true });
  expect(await runIn(opened, made.pane, 'cd /tmp; pwd')).toMatchObject({ output: { text: '/tmp\n' } });
  const inner = await tmux.createPane({ session: 'deploy', pane: 'logs' }, never);
  expect(tmux.find({ session: 'buddy-test-deploy', pane: 'logs' })).toMatchObject({ pane: inner.pane, isDefault: false });
  expect(await refusedWith(() => tmux.find({ session: 'deploy', pane: tmux.panes()[0]?.pane }))).toMatch(/is not in the session deploy$/);
  expect(await tmux.createSession('deploy', never)).toEqual({ ...made, created: false });
  await tmux.killSession('deploy', never);
  expect(opened.tmux('list-sessions', '-F', '#{session_name}').stdout.trim()).toBe('buddy-test');
  expect(opened.events.filter((event) => event.type === 'pane.closed').map((event) => event.pane)).toEqual([made.pane, inner.pane]);
  expect(await refusedWith(tmux.killSession('default', never))).toMatch(/^target.pane: the default session cannot be killed/);
  await expectAlive(opened);
});

test('nothing that somebody else made can be used or ended', async () => {
  const opened = await tests.start();
  opened.tmux('new-session', '-d', '-s', 'buddy-foreign', '-n', 'shared', 'sleep 600');
  opened.tmux('set-option', '-t', '=buddy-foreign:', '@buddy_managed', '1');
  const foreign = opened.tmux('list-panes', '-t', '=buddy-foreign:', '-F', '#{pane_id}').stdout.trim();
  const tmux = client(opened);
  expect(await refusedWith(() => tmux.find({ pane: foreign }))).toBe(`target.pane: there is no pane ${foreign} of this program`);
  expect(await refusedWith(tmux.killSession('buddy-foreign', never))).toMatch(/^target.pane: there is no session/);
  expect(await refusedWith(tmux.killPane({ pane: foreign }, never))).toMatch(/^target.pane: there is no pane/);
  expect(await refusedWith(runIn(opened, foreign, 'true'))).toMatch(/^target.pane: there is no pane/);
  opened.tmux('kill-session', '-t', '=buddy-foreign');
});

test('the shell of a further pane ends: told by its name, and the next command there has a new one', async () => {
  const opened = await tests.start();
  const { pane } = await client(opened).createPane({ pane: 'work' }, never);
  const lost = await runIn(opened, pane, 'cd /; kill -9 $$');
  expect(lost.kind).toBe('lost');
  // What tmux itself knows is told, no more and no less: now and then it never learns the signal.
  const known = opened.tmux('display-message', '-p', '-t', pane, '#{pane_dead_signal}').stdout.trim();
  const how = known === '' ? 'exit status unknown' : `killed by signal ${known}`;
  expect(['', '9']).toContain(known);
  expect(noticesOf(opened)).toEqual([`The shell of the pane "work" has ended (${how}). The next command there starts a new one.`]);
  const again = client(opened).find({ pane: 'work' });
  expect(again.state.kind).toBe('dead');
  expect(await runIn(opened, again.pane, 'pwd')).toMatchObject({ kind: 'exited', output: { text: `${opened.home}\n` } });
  await expectAlive(opened);
});

test('a pane that a person closes is told of; a shared one comes back in the same session', async () => {
  const opened = await tests.start();
  const tmux = client(opened);
  const { pane } = await tmux.createPane({ pane: 'work' }, never);
  opened.tmux('kill-pane', '-t', pane);
  await until('the loss is told', () => noticesOf(opened).includes('The pane "work" was closed.'));
  const { pane: second } = await tmux.createPane({ pane: 'second' }, never);
  const shared = tmux.panes()[0]?.pane ?? '';
  opened.tmux('kill-pane', '-t', shared);
  await until('the loss is told', () => noticesOf(opened).includes('The pane was closed. The next command opens a new one.'));
  await expectAlive(opened);
  expect(await runIn(opened, second, 'echo still')).toMatchObject({ output: { text: 'still\n' } });
  expect(opened.tmux('list-sessions', '-F', '#{session_name}').stdout.trim()).toBe('buddy-test');
});

test('the server dies: the shared pane comes back, further panes and sessions are gone and told of', async () => {
  const opened = await tests.start({ maxSessions: 2 });
  const tmux = client(opened);
  const { pane } = await tmux.createPane({ pane: 'work' }, never);
  const { pane: other } = await tmux.createSession('other', never);
  opened.tmux('kill-server');
  await until('all are told', () => opened.events.filter((event) => event.type === 'pane.closed').length === 3);
  const closed = opened.events.flatMap((event) => (event.type === 'pane.closed' ? [event.pane] : []));
  expect(closed).toEqual(expect.arrayContaining([pane, other]));
  await expectAlive(opened);
  expect(tmux.panes().map(({ title }) => title)).toEqual(['shared']);
});

test('only the pane that is watched is drawn', async () => {
  const opened = await tests.start({ mirror: true });
  const tmux = client(opened);
  const { pane } = await tmux.createPane({ pane: 'work' }, never);
  const shown = (id: PaneId, what: string) =>
    opened.events.some((event) => event.type === 'pane.screen' && event.pane === id && JSON.stringify(event.screen.rows).includes(what));
  await runIn(opened, pane, 'echo unseen');
  expect(opened.events.some((event) => event.type === 'pane.screen' && event.pane === pane)).toBe(false);
  tmux.watch(pane);
  await until('what stood there is shown', () => shown(pane, 'unseen'));
  await runIn(opened, pane, 'echo seen');
  await until('what comes is shown', () => shown(pane, 'seen'));
  const shared = tmux.panes()[0]?.pane ?? '';
  const before = opened.events.length;
  await opened.run('echo quiet');
  expect(opened.events.slice(before).some((event) => event.type === 'pane.screen' && event.pane === shared)).toBe(false);
  tmux.watch(shared);
  await until('the shared pane is shown again', () => shown(shared, 'quiet'));
});

test('a dark pane and a lost opening leave the session as it was', async () => {
  const opened = await tests.start();
  const aborted = new AbortController();
  const making = client(opened).createPane({ pane: 'work' }, aborted.signal);
  aborted.abort();
  expect((await making.catch((thrown: Error) => thrown.name)) as unknown).toBe('AbortError');
  await until('one pane is left', () => opened.tmux('list-panes', '-s', '-t', '=buddy-test', '-F', 'x').stdout.trim() === 'x');
  await expectAlive(opened);
});

describe('capture', () => {
  test('takes the flags of tmux: lines, joined rows, trailing blanks, colours, octal', async () => {
    const opened = await tests.start({ cols: 20, rows: 6 });
    const tmux = client(opened);
    await opened.run(
      "printf '%s\\n' 1 2 3 4 5 6 7 8; printf '\\033[31mred\\033[0m  \\tx\\001\\n'; printf 'abcdefghijklmnopqrstuvwxyz\\nend      \\n'",
    );
    const shot = (options: Parameters<typeof tmux.capture>[0]) => tmux.capture(options, never);
    expect(await shot({})).toContain('abcdefghijklmnopqrstuvwxyz');
    expect(await shot({ joinWrapped: false })).toContain('abcdefghijklmnopqrst\nuvwxyz');
    expect(await shot({ escapes: true })).toContain('\x1b[31mred');
    expect((await shot({ start: '-', end: -1 })).split('\n')).toEqual(expect.arrayContaining(['1', '2', '3']));
    expect((await shot({ start: 0, end: 1 })).split('\n')).toHaveLength(2);
    expect(await shot({ keepTrailingSpaces: true })).toMatch(/^end {6}$/m);
  });

  test('the alternate screen is had while there is one, and named when not', async () => {
    const opened = await tests.start();
    const tmux = client(opened);
    await opened.run('echo normal');
    expect(await refusedWith(tmux.capture({ alternate: true }, never))).toMatch(/^target.no-alternate/);
    const full = opened.run("printf '\\033[?1049hfull'; until [ -e go ]; do sleep 0.02; done; printf '\\033[?1049l'");
    await until('the program has the screen', async () => (await tmux.capture({}, never)).includes('full'));
    expect(await tmux.capture({ alternate: true }, never)).toContain('normal');
    writeFileSync(join(opened.home, 'go'), '');
    await full;
  });

  test('private lines are left out, however the rows are written', async () => {
    const opened = await tests.start({ mirror: true });
    const tmux = client(opened);
    await opened.run("PS1='\\[\\033[32m\\]$ \\[\\033[0m\\]'");
    await tmux.type(undefined, ' echo hidden-word >/dev/null\r', never);
    for (const options of [{}, { escapes: true }, { keepTrailingSpaces: true }, { joinWrapped: false }, { octal: true, escapes: true }]) {
      await until(`left out with ${JSON.stringify(options)}`, async () => {
        const text = await tmux.capture(options, never);
        return text.includes('(private)') && !text.includes('hidden-word');
      });
    }
  });
});
