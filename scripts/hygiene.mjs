/**
 * What the tests may leave behind, listed: processes, sockets of tmux servers, files in /tmp, containers. `npm test` compares before and
 * after, and fails with the list of what is new.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

const PROGRAMS = /\btmux\b|\bsshd?\b|podman|conmon|runc|buddy|\/tmp\/home-/;
const FILES = /^\.?(buddy|home)-/;
/** Between two looks, and how long is waited for what ends by itself: a session outlives a killed program by five seconds. */
const PAUSE_MS = 250;
const PATIENCE_MS = 20_000;

const lines = (file, args) => (spawnSync(file, args, { encoding: 'utf8' }).stdout ?? '').split('\n').filter((line) => line !== '');
const names = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** `pid start program arguments` of every process; the start tells a number that is used again apart. Zombies are nobody's any more. */
function processes() {
  return names('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return command === '' || fields[0] === 'Z' ? [] : [{ pid, started: fields[19], command }];
    } catch {
      return [];
    }
  });
}

/** Everything there is now, one line each. */
export function traces() {
  const sockets = `/tmp/tmux-${userInfo().uid}`;
  return new Set([
    ...processes()
      .filter(({ command }) => PROGRAMS.test(command) && !isTestRun(command))
      .map(({ pid, started, command }) => `process ${pid} (${started}) ${command.slice(0, 160)}`),
    ...names(sockets).map((name) => `socket ${sockets}/${name}`),
    ...names('/tmp')
      .filter((name) => FILES.test(name))
      .map((name) => `${kindOf(`/tmp/${name}`)} /tmp/${name}`),
    ...(lines('sh', ['-c', 'command -v podman']).length > 0
      ? lines('podman', ['ps', '--all', '--format', 'container {{.Names}}']).filter((line) => line.includes('buddy'))
      : []),
  ]);
}

function kindOf(path) {
  try {
    return lstatSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'file';
  }
}

/** What is in a folder, and whose it says it is. */
function insides(trace) {
  const path = /^folder (.*)$/.exec(trace)?.[1];
  if (path === undefined) return '';
  let owner = '';
  try {
    owner = `, owner ${readFileSync(`${path}/owner`, 'utf8').trim()}`;
  } catch {
    owner = '';
  }
  return ` (${names(path).join(' ')}${owner})`;
}

const isTestRun = (command) => /jest\.js|scripts\/test\.mjs|npm (test|run)/.test(command);

/** Other runs of tests on this machine: what they make is not told apart from ours. */
export function otherRuns() {
  const own = new Set([String(process.pid), String(process.ppid)]);
  return processes().filter(({ pid, command }) => !own.has(pid) && /jest\/bin\/jest\.js|scripts\/(test|stress|bench)\.mjs/.test(command))
    .length;
}

/** What is there now and was not there before, once what ends by itself has ended. */
export async function leftSince(before) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = [...traces()].filter((trace) => !before.has(trace));
    if (left.length === 0 || Date.now() > end) return left.map((trace) => `${trace}${insides(trace)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
