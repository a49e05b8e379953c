/** The whole program on a pseudo terminal of the test's own, against a model that the test plays. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatServer, type Reply, startChatServer } from '../support/chat-server.js';
import { type PtyProgram, startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

export interface Running extends PtyProgram {
  readonly home: Home;
  readonly server: ChatServer;
  /** Waits for a whole frame of which `probe` answers something, named `what`. */
  shows<T>(what: string, probe: () => T | null): Promise<NonNullable<T>>;
  /** Types a line and Enter. */
  line(text: string): void;
  /** Waits until the conversation shows `words` and nothing runs any more. The draft must be empty. */
  done(words: string): Promise<void>;
  /** Presses a key of a question, once it may count (400 ms after the question was shown), until the screen shows its effect. */
  pressUntil(key: string, effect: RegExp): Promise<void>;
  /** Nothing is asked about any more. */
  approveAll(): Promise<void>;
  /** The program ends by itself, with exit code 0. */
  quit(): Promise<void>;
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What bracketed paste makes of `text`. */
export const pasted = (text: string): string => `\x1b[200~${text}\x1b[201~`;

/** SIGTERM, and its end; nothing when it has ended. Never throws. */
async function endOf(program: PtyProgram): Promise<void> {
  try {
    program.signal('SIGTERM');
  } catch {
    return;
  }
  await program.ended().catch(() => undefined);
}

/**
 * Starts the program with a home of its own, runs the test once the shared pane is there, and puts everything away. `more`: lines of the
 * profile; `prepare` puts more into that home before the start.
 */
export async function withProgram(
  reply: Reply,
  size: Size,
  test: (program: Running) => Promise<void>,
  { more = [], prepare = () => undefined }: { readonly more?: readonly string[]; readonly prepare?: (home: Home) => void } = {},
): Promise<void> {
  const home = freshHome();
  const server = await startChatServer(reply);
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [
    `api_base_url = "${server.baseUrl}"`,
    'api = "completions"',
    'model = "mock-1"',
    'api_key = "key-for-tests-only"',
    'context_limit = 2000000',
    ...more,
  ];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
  prepare(home);
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const started = startOnPty(process.execPath, [programPath()], { ...size, cwd: home.folder, env });
  const { terminal } = started;
  const shows = async <T>(what: string, probe: () => T | null) => {
    try {
      return await until(what, () => started.fed().then(() => (terminal.wholeFrame() ? probe() : null)));
    } catch (thrown) {
      throw new Error(`${String(thrown)}; it shows:\n${terminal.text()}`);
    }
  };
  const program = {
    ...started,
    home,
    server,
    shows,
    until: (screen: RegExp) => shows(`the screen shows ${screen}`, () => screen.exec(terminal.text())),
  };
  const line = (text: string) => program.send(`${text}\r`);
  try {
    await program.until(/pane shared · idle/);
    await test({
      ...program,
      line,
      async done(words) {
        await program.shows(`${words}, and the program is idle`, () => {
          const [before, after] = terminal.text().split(/\n> (?=Ask, or)/);
          return (after !== undefined && before?.includes(words)) || null;
        });
      },
      async pressUntil(key, effect) {
        for (let pauseMs = 450; !effect.test(terminal.text()); pauseMs += 200) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
          program.send(key);
          await until('the key was read', () => effect.test(terminal.text()), 5000).catch(() => undefined);
        }
      },
      async approveAll() {
        line('/approve all');
        await program.until(/approve ALL/);
      },
      async quit() {
        line('/quit');
        await program.until(/leave · tmux session/);
        program.send('e');
        expect(await program.ended()).toEqual({ exitCode: 0, signal: 0 });
      },
    });
  } finally {
    // Asked to end, it puts its tmux session away; a tmux server whose client was killed does not always end when it is told to.
    await endOf(started);
    program.dispose();
    await server.close();
    await home.dispose();
  }
}
