/** What reading many files at once keeps to: what one file is asked about, what is ours, and whose programs are run. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../lib/base/clock.js';
import type { Host } from '../../../lib/base/host.js';
import { isClosed } from '../../../lib/policy/shell/closed-path.js';
import { judgeShell } from '../../../lib/policy/shell/judge.js';
import { localPlace } from '../../../lib/targets/places/local-place.js';
import type { ExecutionTarget } from '../../../lib/targets/target.js';
import { tools } from '../../../lib/tools/all.js';
import type { Review, ReviewContext, ToolContext, ToolResult } from '../../../lib/tools/tool.js';
import { fakeTarget } from '../../support/fake-target.js';
import { judge } from '../../support/judging.js';

const signal = new AbortController().signal;
let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-closed-')));
  for (const folder of ['.ssh', '.gnupg/private', 'work', 'work/.buddyx']) mkdirSync(join(home, folder), { recursive: true });
  for (const path of [
    '.ssh/id_ed25519',
    '.gnupg/private/key',
    '.netrc',
    'work/.env',
    'work/.env.example',
    'work/notes',
    '.ssh/config',
    'work/.buddyx/session',
  ])
    writeFileSync(join(home, path), `needle of ${path}\n`);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The files of this machine, in that folder, with those places for programs. */
function targetIn(cwd: string, path = process.env['PATH'] ?? ''): ExecutionTarget {
  const host: Partial<Host> = {
    env: {},
    cwd,
    homeDir: home,
    pid: process.pid,
    platform: 'linux',
    user: 'ann',
    hostname: 'h',
    clock: systemClock,
  };
  const place = localPlace({ host: host as Host, environment: { PATH: path, HOME: home }, tmux: 'tmux' });
  const fake = fakeTarget().target;
  const { readFile, realPath, look } = place;
  return { ...fake, summary: { ...fake.summary, cwd }, homeDir: home, readFile, realPath, look };
}

async function judged(
  name: string,
  args: object,
  target = targetIn(home),
  judging = judge,
): Promise<{ readonly review: Review; run(): Promise<ToolResult> }> {
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const context: ReviewContext = { target, denylist: [], allowedPaths: [], homeDir: home, confirmShell: true, judge: judging };
  const parsed = tool.parse({ ...args, why: 'w' });
  const looked = (await tool.prepare?.(parsed, context, signal)) ?? parsed;
  const running: ToolContext = {
    ...{ signal, clock: systemClock, target, denylist: [], judge: judging, caution: 'policy' },
    report: () => undefined,
    background: () => '1',
  };
  return { review: tool.review(looked, context), run: () => tool.run(looked, running) };
}

test('a search of all of home tells nothing of keys, and says what it left out', async () => {
  const { review, run } = await judged('grep', { pattern: 'needle', path: home });
  expect(review).toEqual({ kind: 'allow' });
  const { found, notes } = (await run()).result as { found: string; notes: string[] };
  expect(found.split('\n')).toEqual([
    '.ssh/config:1: needle of .ssh/config',
    'work/.env.example:1: needle of work/.env.example',
    'work/notes:1: needle of work/notes',
  ]);
  expect(notes).toEqual([
    'Left out, as only the user can allow reading it (read_file asks): .gnupg/private/key, .netrc, .ssh/id_ed25519, work/.env.',
  ]);
});

test('find does not go into what is closed', async () => {
  const { run } = await judged('find', { pattern: '*', path: home });
  const { found } = (await run()).result as { found: string };
  expect(found).not.toMatch(/private|id_ed25519/);
  expect(found).toContain('work/notes');
});

test.each(['grep', 'find', 'ls'])('%s asks where read_file asks, also when a link leads there', async (name) => {
  symlinkSync(join(home, '.gnupg'), join(home, 'work/harmless'));
  for (const path of [join(home, '.gnupg'), join(home, 'work/harmless'), '~/.ssh']) {
    expect((await judged(name, { path, pattern: 'x' })).review).toMatchObject({ kind: 'ask', caution: 'user' });
  }
  expect((await judged(name, { path: '/proc/self/fd/1', pattern: 'x' })).review.kind).not.toBe('allow');
});

test.each(['grep', 'find', 'ls'])('%s tells nothing when the link was turned after it was judged', async (name) => {
  const link = join(home, 'work/link');
  symlinkSync(join(home, 'work'), link);
  const { review, run } = await judged(name, { path: link, pattern: 'x' });
  expect(review).toEqual({ kind: 'allow' });
  rmSync(link);
  symlinkSync(join(home, '.gnupg'), link);
  await expect(run()).rejects.toMatchObject({ code: 'tool.refused' });
});

test('programs are not taken from the project, from a folder of packages or from a relative one', async () => {
  const work = join(home, 'work');
  const ran = join(home, 'ran');
  const places = ['work/bin', 'work/node_modules/.bin', 'elsewhere/node_modules/.bin'];
  for (const place of places) {
    mkdirSync(join(home, place), { recursive: true });
    for (const program of ['rg', 'fd', 'fdfind']) {
      writeFileSync(join(home, place, program), `#!/bin/sh\necho ran >>'${ran}'\n`);
      chmodSync(join(home, place, program), 0o755);
    }
  }
  symlinkSync(join(work, 'bin'), join(home, 'linked'));
  const path = ['', '.', 'bin', ...places.map((place) => join(home, place)), join(home, 'linked'), '/usr/bin', '/bin'].join(':');
  for (const name of ['grep', 'find']) {
    const { run } = await judged(name, { path: work, pattern: name === 'grep' ? 'of work/notes' : 'notes' }, targetIn(work, path));
    expect((await run()).text).toContain('notes');
  }
  expect(existsSync(ran)).toBe(false);
});

test.each([
  ['/home/ann/.ssh/id_rsa', true],
  ['/home/ann/.config/buddy/auth.json', true],
  ['/srv/state/buddy/session-key', true],
  ['/home/ann/.local/state/buddy/rules.json', true],
  ['/etc/shadow', true],
  ['/proc/1/environ', true],
  ['/dev/sda', true],
  ['/home/ann/.ssh/id_rsa.pub', false],
  ['/etc/hosts', false],
  ['/srv/app/src/main.ts', false],
])('%s is closed: %j', (path, closed) => {
  expect(isClosed(path)).toBe(closed);
});

test('whether a file that the own denylist names holds a pattern is not told without a question', async () => {
  const denied = ['work/notes'];
  const judging = (command: string) => judgeShell(command, { denylist: denied, mode: 'all', shell: 'bash' });
  const notesOf = async (pattern: string) => {
    const { run } = await judged('grep', { pattern, path: join(home, 'work'), glob: 'notes' }, targetIn(home), judging);
    return (await run()).result as { found: string; notes: string[] };
  };
  const held = await notesOf('needle of w');
  expect(held).toEqual(await notesOf('nowhere'));
  expect(held.found).toBe('');
});
