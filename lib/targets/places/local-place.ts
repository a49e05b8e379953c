/** This host as a place: files and processes directly. */

import { dirname } from 'node:path';
import { abortError, BuddyError, messageOf } from '../../base/errors.js';
import { mkdir, readTextIfPresent, systemCode, writeFileSync } from '../../base/files.js';
import type { Host } from '../../base/host.js';
import { runProcess, signalGroup, startProcess } from '../../base/process.js';
import { readLocalFile, realLocalPath, writeLocalFile } from './local-files.js';
import { dropAbandonedFolders, makePrivateFolder, remakePrivateFolder, removePrivateFolder, writePrivateFile } from './local-folders.js';
import { lookHere } from './look.js';
import { foundTmux, type Place, type PlaceOutput } from './place.js';

/** Seconds a session outlives a client that was killed: nothing on this host can come back for it. */
const GRACE_S = 5;

export interface LocalPlaceOptions {
  readonly host: Host;
  readonly environment: Readonly<Record<string, string>>;
  /** Program to run as tmux. */
  readonly tmux: string;
}

/** Always connected. `facts.tmux` names the program without having looked at it. */
export function localPlace({ host, environment, tmux }: LocalPlaceOptions): Place {
  const shell = host.env['SHELL'] ?? '';
  return {
    kind: 'local',
    name: 'this host',
    label: 'this host',
    facts: {
      host: host.hostname,
      user: host.user,
      home: host.homeDir,
      cwd: host.cwd,
      shells: shell === '' ? [] : [shell],
      system: host.platform === 'linux' ? 'Linux' : host.platform,
      tmux: { program: tmux, version: '', ok: true },
    },
    environment,
    graceS: GRACE_S,
    writeNow(path, text) {
      try {
        writeFileSync(path, text, { mode: 0o600 });
      } catch (thrown) {
        if (systemCode(thrown) !== 'ENOENT') throw thrown;
        remakePrivateFolder(dirname(path), host.pid);
        writeFileSync(path, text, { mode: 0o600 });
      }
    },
    state: { kind: 'connected', silent: false },
    onState: () => ({ dispose: () => undefined }),
    connect: () => Promise.resolve(),
    reach: () => Promise.resolve(true),
    reconnect: () => Promise.resolve(),
    start: ([file = '', ...args], cwd) =>
      startProcess(file, args, { env: environment, ownGroup: true, ...(cwd === undefined ? {} : { cwd }) }),
    async run([file = '', ...args], signal, input): Promise<PlaceOutput> {
      if (input !== undefined) throw new Error('programs on this host get no input');
      const { code, stdout, stderr } = await runProcess(file, args, { env: environment }, signal);
      return { code, stdout: Buffer.from(stdout), stderr };
    },
    async makeFolder() {
      void dropAbandonedFolders();
      try {
        return makePrivateFolder(host.pid);
      } catch (thrown) {
        throw new BuddyError('target.file', `no private folder could be made in /tmp: ${messageOf(thrown)}`, { cause: thrown });
      }
    },
    async makeInner(folder) {
      try {
        await mkdir(folder, { mode: 0o700 });
      } catch (thrown) {
        throw new BuddyError('target.file', `the folder ${folder} could not be made: ${messageOf(thrown)}`, { cause: thrown });
      }
    },
    removeFolder: removePrivateFolder,
    writePrivate: writePrivateFile,
    readText: (path) => Promise.resolve(textOf(path)),
    readFile: readLocalFile,
    async look(request, signal) {
      if (signal.aborted) throw abortError();
      const [file = '', ...args] = request.argv;
      return lookHere(startProcess(file, args, { env: environment, ownGroup: true, cwd: '/' }), request, host.clock, signal);
    },
    realPath: realLocalPath,
    writeFile: writeLocalFile,
    signalGroup: (group, signal) => Promise.resolve(signalGroup(group, signal)),
    attachLine: (argv) => argv.join(' '),
    close: () => Promise.resolve(),
  };
}

function textOf(path: string): string | null {
  try {
    return readTextIfPresent(path);
  } catch {
    return null;
  }
}

/** The installed tmux, null when there is none. Rejects only when cancelled. */
export async function probeLocalTmux(program: string, environment: Readonly<Record<string, string>>, signal: AbortSignal) {
  try {
    const { stdout } = await runProcess(program, ['-V'], { env: environment }, signal);
    return foundTmux(program, stdout);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return null;
  }
}
