/** A home, a working folder, programs that count how often they ran, and a tmux socket: all that one round works with. */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { apis } from './wire.mjs';

/** Found in nothing that the program leaves behind. */
const CANARY = 'canary/soak+key="only"-5b1e77';

/** Where each profile has its key from; null: the one that is stored for its address. */
const KEYS = {
  chat: (at) => `api_key_command = "cat ${at('vault', 'key')}"`,
  responses: () => 'api_key_env = "SOAK_KEY"',
  anthropic: null,
};

/** True for the private folder of one of those programs: one that was killed leaves it for the next start to clear away. */
function isOwned(name, pids) {
  if (!/^buddy-\w{6}$/.test(name)) return false;
  try {
    return pids.includes(readFileSync(join('/tmp', name, 'owner'), 'utf8').trim());
  } catch {
    return false;
  }
}

/** The lock beside a tmux server, as `targets/tmux/server-lock` names it. */
function lockOf(socket) {
  const name = createHash('sha256').update(`${userInfo().username}\0${socket}`).digest('hex').slice(0, 16);
  return `/tmp/.buddy-${name}.lock`;
}

/** Makes it. `model` is the protocol to start with; `more` are lines for the configuration. */
export function openPlace({ provider, model, more = [] }) {
  const folder = mkdtempSync('/tmp/buddy-soak-');
  const at = (...names) => join(folder, ...names);
  for (const name of ['home', 'work', 'bin', 'vault', 'log', 'witness']) mkdirSync(at(name));
  for (const name of ['goodcmd', 'evilcmd']) {
    writeFileSync(at('bin', name), `#!/bin/sh\necho "$*" >> ${at('log', name)}\necho "${name} $*: ran"\n`);
    chmodSync(at('bin', name), 0o755);
  }
  writeFileSync(at('vault', 'key'), `${CANARY}\n`);
  const config = at('home', '.config', 'buddy');
  mkdirSync(config, { recursive: true });
  const names = { chat: 'completions', responses: 'responses', anthropic: 'anthropic' };
  const profiles = apis.flatMap((api) => [
    `[models.${api}]`,
    `api_base_url = "${provider.baseUrl(api)}"`,
    `api = "${names[api]}"`,
    'model = "mock-1"',
    ...(KEYS[api] === null ? [] : [KEYS[api](at)]),
    'context_limit = 2000000',
    '',
  ]);
  const rest = ['[agent]', `model = "${model}"`, '[tools]', `fetch_private_hosts = ["127.0.0.1:${provider.port}"]`, ...more];
  writeFileSync(join(config, 'buddy.toml'), [...profiles, ...rest, ''].join('\n'), { mode: 0o600 });
  const auth = { version: 4, api_keys: { soak: { key: CANARY, origin: `http://127.0.0.1:${provider.port}` } } };
  writeFileSync(join(config, 'auth.json'), `${JSON.stringify(auth)}\n`, { mode: 0o600 });
  const socket = `soak-${randomBytes(5).toString('hex')}`;
  const place = {
    folder,
    at,
    home: at('home'),
    work: at('work'),
    config,
    socket,
    canary: CANARY,
    sessions: at('work', '.buddyx', 'sessions'),
    env: {
      PATH: `${at('bin')}:${process.env.PATH}`,
      HOME: at('home'),
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      SHELL: '/bin/bash',
      PS1: 'prompt$ ',
      BUDDY_TMUX_SOCKET: socket,
      SOAK_KEY: CANARY,
    },
    /** What a tmux command prints on the program's server; '' when there is none. */
    tmux: (...args) => spawnSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' }).stdout ?? '',
    /** The argument lists of a program that counts, each time it ran. */
    ran: (name) =>
      existsSync(at('log', name))
        ? readFileSync(at('log', name), 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [],
    sessionFiles: () => (existsSync(place.sessions) ? readdirSync(place.sessions).filter((name) => name.endsWith('.jsonl')) : []),
    /** Processes of this place: those that name it, and those whose home it is. */
    processes(except) {
      return readdirSync('/proc').flatMap((pid) => {
        if (!/^\d+$/.test(pid) || except.includes(Number(pid))) return [];
        try {
          const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
          const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
          const isOurs =
            words.includes(socket) ||
            (words.includes(folder) && !words.includes(at('witness'))) ||
            environment.includes(`HOME=${at('home')}\0`);
          return isOurs && words !== '' ? [{ pid: Number(pid), words: words.replaceAll('\0', ' ').trim(), environment }] : [];
        } catch {
          return [];
        }
      });
    },
    /** Ends what is left and removes everything. */
    dispose(except = []) {
      spawnSync('tmux', ['-L', socket, 'kill-server']);
      for (const { pid } of place.processes(except)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // Ended meanwhile.
        }
      }
      const pids = readdirSync(at('log')).flatMap((name) => /^probe-(\d+)\.json/.exec(name)?.[1] ?? []);
      for (const name of readdirSync('/tmp')) if (isOwned(name, pids)) rmSync(join('/tmp', name), { recursive: true, force: true });
      rmSync(lockOf(socket), { force: true });
      for (const name of [socket, `${socket}.lock`]) rmSync(`/tmp/tmux-${process.getuid()}/${name}`, { force: true });
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  return place;
}
