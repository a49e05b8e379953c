/** A throw-away sshd on loopback with keys and settings of its own, behind a wire that can be cut or frozen. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '../support/until.js';

const SSHD = '/usr/sbin/sshd';

/** True when an ssh server and client are installed. */
export const hasSshd = existsSync(SSHD) && spawnSync('ssh', ['-V']).status === 0;

/** A TCP proxy to `port`. `freeze` lets nothing through, as a network does that swallows packets. */
export class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #frozen = false;
  #refuses = false;
  #left = Number.POSITIVE_INFINITY;

  private constructor(toPort: number) {
    this.#server = createServer((near) => {
      if (this.#refuses) {
        near.destroy();
        return;
      }
      const far = createConnection(toPort, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.setNoDelay(true);
        from.on('data', (bytes) => {
          to.write(bytes);
          this.#left -= bytes.length;
          if (this.#left <= 0) this.cut();
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          if (!this.#frozen) to.destroy();
        });
        if (this.#frozen) from.pause();
      }
    });
  }

  static async open(toPort: number): Promise<Wire> {
    const wire = new Wire(toPort);
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** How many are open on the near side. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Cut or frozen: nothing comes through. */
  get broken(): boolean {
    return this.#refuses || this.#frozen;
  }

  /** Breaks all connections; new ones are refused until `mend`. */
  cut(): void {
    this.#refuses = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts when so many more bytes have gone through. */
  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  /** Nothing arrives and nobody is told, until `thaw` or `mend`; new connections get no answer either. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** What was held back arrives, as after packets that were sent again. */
  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** New connections work again; what hung breaks. */
  mend(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#refuses = false;
    this.#frozen = false;
    this.#left = Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export interface SshServer {
  /** For `--ssh`. */
  readonly destination: { readonly user: string; readonly host: string; readonly port: number };
  readonly wire: Wire;
  /** Home folder of those who log in. */
  readonly home: string;
  /** Environment under which `ssh` is the one that knows this server's keys. */
  readonly env: Readonly<Record<string, string>>;
  /** What that `ssh` has learnt of host keys. */
  readonly knownHosts: string;
  /** Kills the server and everybody's connection; what people started there goes on. */
  kill(): void;
  /** Starts it again on the same port. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface SshServerOptions {
  /** PATH of those who log in, before their login shell. */
  readonly path?: string;
  /** Lines of their ~/.bashrc. */
  readonly bashrc?: string;
  /** Further files in their home folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Those who log in find no tmux, wherever they look; see `canDisguise`. */
  readonly withoutTmux?: boolean;
  /** Their login shell, a path; see `canDisguise`. */
  readonly shell?: string;
  /** They log in with this password and no key; see `canDisguise`. */
  readonly password?: string;
  /** Of the key they log in with. */
  readonly passphrase?: string;
  /** Their `ssh` does not know the host yet. */
  readonly unknownHost?: boolean;
}

/** In a mount namespace of its own nothing is what it was: pairs of paths, `--`, and a program. */
const DISGUISE = [...['-m', 'sh', '-c', 'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit; shift 2; done; shift; exec "$@"', 'sh']];

/** True when a program can be run for which files of this machine are others. */
export const canDisguise =
  hasSshd && spawnSync('unshare', [...DISGUISE, '/dev/null', '/etc/shadow', '--', 'sh', '-c', '! [ -s /etc/shadow ]']).status === 0;

/** Starts one. */
export async function startSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const folder = mkdtempSync('/tmp/buddy-test-sshd-');
  const home = join(folder, 'home');
  mkdirSync(home);
  for (const [name, text] of Object.entries({ '.bashrc': options.bashrc ?? '', ...options.files })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  for (const [key, passphrase] of Object.entries({ host: '', user: options.passphrase ?? '' })) {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(folder, key)]);
  }
  const hostKey = readFileSync(join(folder, 'host.pub'), 'utf8');
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const byPassword = options.password !== undefined;
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${byPassword ? 'none' : `${folder}/user.pub`}`,
    `PidFile ${folder}/pid`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    `PasswordAuthentication ${byPassword ? 'yes' : 'no'}`,
    'KbdInteractiveAuthentication no',
    'MaxStartups 100',
    `SetEnv HOME=${home} LANG=C.UTF-8${options.path === undefined ? '' : ` PATH=${options.path}`}`,
  ];
  writeFileSync(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
  const command = [SSHD, '-D', '-e', '-f', join(folder, 'sshd_config')];
  const mounts = disguise(folder, home, options);
  const [file = '', ...args] = mounts.length === 0 ? command : ['unshare', ...DISGUISE, ...mounts, '--', ...command];
  const start = async () => {
    const started = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    await untilListens(started);
    return started;
  };
  let server = await start();
  const wire = await Wire.open(port);
  const knownHosts = join(folder, 'known_hosts');
  writeFileSync(knownHosts, options.unknownHost === true ? '' : `[127.0.0.1]:${wire.port} ${hostKey}`);
  const client = [
    ...['Host *', `IdentityFile ${folder}/user`, 'IdentitiesOnly yes', 'IdentityAgent none', `UserKnownHostsFile ${knownHosts}`],
    'GlobalKnownHostsFile /dev/null',
  ];
  writeFileSync(join(folder, 'config'), `${client.join('\n')}\n`);
  mkdirSync(join(folder, 'bin'));
  const ssh = spawnSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(folder, 'bin', 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${folder}/config "$@"\n`, { mode: 0o755 });
  return {
    destination: { user: userInfo().username, host: '127.0.0.1', port: wire.port },
    wire,
    home,
    env: { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` },
    knownHosts,
    kill() {
      const listed = spawnSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).stdout.trim().split('\n');
      const processes = listed
        .map((line) => line.trim().split(/\s+/))
        .map(([pid, parent, name]) => ({ pid: Number(pid), parent: Number(parent), name }));
      const sshds = new Set([server.pid]);
      // Parents come before their children often, but not always.
      for (let found = -1; found !== sshds.size; ) {
        found = sshds.size;
        for (const { pid, parent, name } of processes) if (sshds.has(parent) && name?.startsWith('sshd') === true) sshds.add(pid);
      }
      for (const pid of sshds) if (pid !== undefined && pid > 1) process.kill(pid, 'SIGKILL');
    },
    async startAgain() {
      server = await start();
    },
    async close() {
      await wire.close();
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Which files of the machine are others for the server: pairs of what is seen, and where. */
function disguise(folder: string, home: string, { withoutTmux, shell, password }: SshServerOptions): readonly string[] {
  const seen = (name: string, path: string, change: (line: string) => string): readonly string[] => {
    const user = userInfo().username;
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(join(folder, name), lines.map((line) => (line.startsWith(`${user}:`) ? change(line) : line)).join('\n'), { mode: 0o600 });
    return [join(folder, name), path];
  };
  const readable = (pair: readonly string[]) => {
    chmodSync(pair[0] ?? '', 0o644);
    return pair;
  };
  return [
    ...(withoutTmux === true ? ['/dev/null', spawnSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).stdout.trim()] : []),
    ...(shell === undefined
      ? []
      : readable(seen('passwd', '/etc/passwd', (line) => [...line.split(':').slice(0, 5), home, shell].join(':')))),
    ...(password === undefined
      ? []
      : seen('shadow', '/etc/shadow', (line) => [line.split(':')[0], hashed(password), ...line.split(':').slice(2)].join(':'))),
  ];
}

/** As shadow(5) has it; perl is a part of every Debian. */
function hashed(password: string): string {
  return spawnSync('perl', ['-e', 'print crypt($ARGV[0], q($6$buddytest$))', password], { encoding: 'utf8' }).stdout;
}

async function untilListens(server: ChildProcess): Promise<void> {
  let said = '';
  server.stderr?.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  await until('sshd listens', () => {
    if (server.exitCode !== null) throw new Error(`sshd ended: ${said}`);
    return said.includes('Server listening');
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
