/** A target that runs nothing: it answers what the test says, and remembers what it was asked. */

import { posix } from 'node:path';
import { Emitter } from '../../lib/base/emitter.js';
import { BuddyError } from '../../lib/base/errors.js';
import type {
  CommandOutput,
  ExecutionTarget,
  MadePane,
  PaneInfo,
  RunIo,
  RunOutcome,
  RunRequest,
  TargetEvent,
  TmuxClient,
} from '../../lib/targets/target.js';

/** Output of a few lines, as a target would report it. */
export function outputOf(text: string): CommandOutput {
  return { text, totalBytes: Buffer.byteLength(text), totalLines: text === '' ? 0 : text.split('\n').length, truncated: false };
}

/** An outcome of a command that ended. */
export function exited(text: string, exitCode = 0): RunOutcome {
  return { kind: 'exited', exitCode, output: outputOf(text), elapsedMs: 5 };
}

/** The shared pane, as it is when nothing is said of it. */
export const sharedPane: PaneInfo = {
  session: 'buddy-test',
  pane: '%1',
  title: 'shared',
  cols: 80,
  rows: 24,
  cwd: '/srv',
  state: { kind: 'idle' },
  halfTyped: '',
  isDefault: true,
};

type Behaviour = (request: RunRequest, io: RunIo) => Promise<RunOutcome> | RunOutcome;

/** `run` is what each command does. Files live in `files`. With `screen` it has tmux. */
export function fakeTarget(
  run: Behaviour = () => exited(''),
  options: { readonly screen?: string; readonly panes?: readonly PaneInfo[] } = {},
) {
  const emitter = new Emitter<TargetEvent>();
  const commands: string[] = [];
  const typed: string[] = [];
  const pasted: string[] = [];
  const files = new Map<string, Buffer>();
  const log: string[] = [];
  /** Where paths really lead; the others lead to themselves. */
  const links = new Map<string, string>();
  const panes = options.panes ?? [sharedPane];
  const made = (what: string, pane: Partial<MadePane>): Promise<MadePane> => {
    log.push(what);
    return Promise.resolve({ session: 'buddy-test', pane: '%2', title: '', created: true, ...pane });
  };
  const tmux: TmuxClient | null =
    options.screen === undefined
      ? null
      : {
          panes: () => panes,
          find({ session, pane }) {
            const found = panes.find(
              (known) => (session === undefined || known.session === session) && [known.pane, known.title].includes(pane ?? 'shared'),
            );
            if (found === undefined) throw new BuddyError('target.pane', `there is no pane "${pane ?? session}" of this program`);
            return found;
          },
          capture: () => Promise.resolve(options.screen ?? ''),
          type(_pane, bytes) {
            typed.push(bytes);
            return Promise.resolve();
          },
          paste(_pane, text) {
            pasted.push(text);
            return Promise.resolve();
          },
          resize: (pane, cols, rows) => log.push(`resize ${pane ?? 'shared'} ${cols}x${rows}`),
          scrollBack: (pane) => log.push(`scroll back ${pane}`),
          watch: (pane) => log.push(`watch ${pane}`),
          integrate: (pane) => made(`integrate ${pane}`, {}).then(() => undefined),
          createSession: (name) => made(`create session ${name}`, { session: `buddy-${name}`, title: 'shared' }),
          killSession: (name) => made(`kill session ${name}`, {}).then(() => undefined),
          createPane: ({ pane = '' }) => made(`create pane ${pane}`, { title: pane }),
          killPane: ({ pane = '' }) => made(`kill pane ${pane}`, {}).then(() => undefined),
        };
  const target: ExecutionTarget = {
    summary: {
      kind: 'local',
      via: tmux === null ? 'direct' : 'tmux',
      label: 'this host',
      host: 'web-01',
      user: 'ann',
      cwd: '/srv',
      shell: 'bash',
      attach: null,
    },
    homeDir: '/home/ann',
    onEvent: emitter.event,
    tmux,
    start: () => Promise.resolve(),
    async run(request, io) {
      commands.push(request.command);
      return await run(request, io);
    },
    readOutput: (id, { offset }) =>
      Promise.resolve({ text: `${id} from ${offset}`, size: 100, next: offset + 10 < 100 ? offset + 10 : null }),
    readFile(path, { offset, limit, line = 1 }) {
      const bytes = files.get(path);
      if (bytes === undefined) return Promise.reject(new BuddyError('target.file', `cannot read ${path}: no such file or folder`));
      const parts = bytes.toString('latin1').split(/(?<=\n)/);
      const start = parts.slice(0, line - 1).join('').length;
      const from = start + offset;
      const past = line > 1 && start >= bytes.length ? { lines: parts.length } : {};
      return Promise.resolve({ bytes: bytes.subarray(from, from + limit), size: bytes.length, start, ...past });
    },
    look: (request) => Promise.reject(new BuddyError('target.look', `${request.argv[0]} could not be started`)),
    realPath(path) {
      const whole = path.startsWith('~/') ? `/home/ann${path.slice(1)}` : posix.resolve('/srv', path);
      return Promise.resolve(links.get(whole) ?? whole);
    },
    writeFile(path, bytes) {
      files.set(path, Buffer.from(bytes));
      return Promise.resolve();
    },
    close(how = 'end') {
      log.push(how === 'keep' ? 'keep' : 'close');
      return Promise.resolve(how === 'keep');
    },
    dispose: () => undefined,
  };
  return { target, emitter, commands, typed, pasted, files, links, log };
}
