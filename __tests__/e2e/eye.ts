/** A tmux server of the test's own: the eye that looks at the program as a person does. */

import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processExists } from '../../lib/base/process.js';
import { lockPath } from '../../lib/targets/tmux/server-lock.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const root = process.cwd();

/**
 * A tmux server that was killed leaves its socket behind, a client that was killed while it started one tmux's lock beside it, and a
 * program that was killed at the door its own.
 */
function removeSocket(name: string): void {
  for (const file of [name, `${name}.lock`]) rmSync(join(`/tmp/tmux-${userInfo().uid}`, file), { force: true });
  rmSync(lockPath(userInfo().username, name), { force: true });
}

/** What a program that was killed, or that kept its session, left in /tmp is cleared away by the next start; here there may be none. */
function dropAbandoned(socket: string): void {
  for (const name of readdirSync('/tmp').filter((entry) => /^buddy-\w{6}$/.test(entry))) {
    try {
      // Killed right after it was made: it does not say whose it is.
      const isNew = readdirSync(`/tmp/${name}`).length === 0 && statSync(`/tmp/${name}`).mtimeMs < Date.now() - 2000;
      const owner = isNew ? 0 : Number(readFileSync(`/tmp/${name}/owner`, 'utf8'));
      const isKept = existsSync(`/tmp/${name}/kept`) && readFileSync(`/tmp/${name}/kept`, 'utf8').includes(`"${socket}"`);
      if (isNew || isKept || (owner > 1 && !existsSync(`/proc/${owner}`))) rmSync(`/tmp/${name}`, { recursive: true, force: true });
    } catch {
      // Somebody else's, or gone meanwhile.
    }
  }
}

/** Programs that were given that socket. */
function holders(socket: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`\0-L\0${socket}\0`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/**
 * A server of tmux 3.3a that is to end waits for the output of each control client to be read. When the program behind one was killed with
 * output on its way that never happens: the two stay for ever, and are ended here.
 */
async function endStuck(socket: string): Promise<void> {
  await until('its tmux is gone', () => holders(socket).length === 0, 3000).catch(() => undefined);
  for (const pid of holders(socket)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
}

/** Fails with a clear sentence when the program has not been built. */
export function programPath(): string {
  if (!existsSync(join(root, 'dist', 'bundle', 'main.js'))) throw new Error('dist is missing: run "node scripts/build.mjs" first');
  return join(root, 'bin', 'buddy-tui.js');
}

/** A home folder and a private tmux socket for one run of the program. */
export function freshHome() {
  const folder = mkdtempSync(join(tmpdir(), 'home-'));
  const socket = `bt-${randomBytes(5).toString('hex')}`;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: folder,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    BUDDY_TMUX_SOCKET: socket,
    TMPDIR: process.env['TMPDIR'],
  };
  return {
    folder,
    socket,
    env,
    /** What a tmux command prints on the program's own server; '' when there is none. */
    async tmux(...args: readonly string[]): Promise<string> {
      return run('tmux', ['-L', socket, ...args]).then(
        ({ stdout }) => stdout,
        () => '',
      );
    },
    /**
     * Lets the program put its session away (a server killed under a program that is leaving can get stuck), then ends what is left.
     * Shells that are ended write their history on the way out: the folder is removed until it stays removed.
     */
    async dispose(): Promise<void> {
      await until('its sessions are gone', async () => (await this.tmux('ls')) === '', 7000).catch(() => undefined);
      const started = join(folder, 'pid');
      const program = existsSync(started) ? Number(readFileSync(started, 'utf8')) : 0;
      await until('its program is gone', () => !processExists(program), 7000).catch(() => undefined);
      await run('tmux', ['-L', socket, 'kill-server']).catch(() => undefined);
      await endStuck(socket);
      removeSocket(socket);
      dropAbandoned(socket);
      await until('the home folder is removed', () => {
        try {
          rmSync(folder, { recursive: true, force: true });
          return true;
        } catch {
          return false;
        }
      });
    },
  };
}

export type Home = ReturnType<typeof freshHome>;

/** Opens an eye of so many cells with a bash in it. */
export async function openEye(home: Home, cols = 160, rows = 45) {
  const server = `eye-${randomBytes(5).toString('hex')}`;
  const tmux = async (...args: readonly string[]) => (await run('tmux', ['-u', '-L', server, ...args])).stdout;
  const shell = 'exec env PS1="READY> " bash --norc --noprofile';
  await run(
    'tmux',
    ['-u', '-L', server, '-f', '/dev/null', 'new-session', '-d', '-s', 'e', '-x', String(cols), '-y', String(rows), shell],
    {
      env: home.env,
      cwd: home.folder,
    },
  );
  await tmux('set-option', '-g', 'escape-time', '5');
  const screen = () => tmux('capture-pane', '-p', '-t', 'e');
  const eye = {
    screen,
    tmux,
    /** Presses named keys, one after the other. */
    press: (...keys: readonly string[]) => tmux('send-keys', '-t', 'e', ...keys),
    /** Types text as it is. */
    type: (text: string) => tmux('send-keys', '-t', 'e', '-l', text),
    /** Types a line and Enter. */
    async line(text: string) {
      await eye.type(text);
      await eye.press('Enter');
    },
    /** Resolves with the screen once it shows `what`. */
    async sees(what: RegExp | string, withinMs = 15_000): Promise<string> {
      let last = '';
      try {
        return await until(
          `the screen shows ${String(what)}`,
          async () => {
            last = await screen();
            return (typeof what === 'string' ? last.includes(what) : what.test(last)) ? last : null;
          },
          withinMs,
        );
      } catch (thrown) {
        throw new Error(`${(thrown as Error).message}; it shows:\n${last}`);
      }
    },
    /** Starts the program, its arguments as a shell reads them, and waits for the shared pane. */
    async start(args = '', waitFor: RegExp | string = /pane shared · idle/, nodeFlags = '') {
      await eye.line(`sh -c 'echo $$ > pid; exec ${process.execPath} ${nodeFlags} ${programPath()} ${args}'`);
      return eye.sees(waitFor);
    },
    /** Says `/quit`, and that the session is to end; nothing runs in it. */
    async leave() {
      await eye.line('/quit');
      await eye.sees('leave · tmux session');
      await eye.press('e');
    },
    /** Process id of the program that was started last. */
    pid: () => Number(readFileSync(join(home.folder, 'pid'), 'utf8')),
    /** A word about the terminal itself: `alternate_on`, `mouse_any_flag`, `cursor_flag`. */
    async flag(name: string): Promise<string> {
      return (await tmux('display-message', '-p', '-t', 'e', `#{${name}}`)).trim();
    },
    close() {
      try {
        execFileSync('tmux', ['-L', server, 'kill-server'], { stdio: 'ignore' });
      } catch {
        // Gone already.
      }
      removeSocket(server);
    },
  };
  await eye.sees('READY>');
  return eye;
}

export type Eye = Awaited<ReturnType<typeof openEye>>;

/** Opens a home and an eye for a test, and puts both away after it. */
export async function withEye(test: (eye: Eye, home: Home) => Promise<void>, cols?: number, rows?: number): Promise<void> {
  const home = freshHome();
  const eye = await openEye(home, cols, rows);
  try {
    await test(eye, home);
  } finally {
    eye.close();
    await home.dispose();
  }
}

/**
 * Answers the question that shows `body` (any question when left out). An answer counts 400 ms after the question was shown and
 * without a key in between: it is pressed with pauses until it does.
 */
export async function answer(eye: Eye, key: string, body = 'approve on'): Promise<void> {
  const asked = async () => {
    const panel = /approve on[\s\S]*/.exec(await eye.screen())?.[0] ?? '';
    return panel.includes(body);
  };
  const end = Date.now() + 12_000;
  for (let quietMs = 450; await asked(); quietMs += 200) {
    if (Date.now() > end) throw new Error(`the question does not go away:\n${await eye.screen()}`);
    const pressableAtMs = Date.now() + quietMs;
    await until('the question takes answers', () => Date.now() > pressableAtMs);
    await eye.press(key);
    await until('the key was read', async () => !(await asked()), 1000).catch(() => undefined);
  }
}
