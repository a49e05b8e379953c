/** A throw-away sshd on loopback with keys and settings of its own, behind a wire that can be cut or frozen. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.js';

const SSHD = '/usr/sbin/sshd';

/** True when an ssh server and client are installed. */
export const hasSshd = existsSync(SSHD) && spawnSync('ssh', ['-V']).status === 0;

/** A TCP proxy to `port`. `freeze` lets nothing through any more, as a network does that swallows packets. */
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
          if (this.#frozen) return;
          to.write(bytes);
          this.#left -= bytes.length;
          if (this.#left <= 0) this.cut();
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          if (!this.#frozen) to.destroy();
        });
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

  /** Breaks all connections; new ones are refused until `mend`. */
  cut(): void {
    this.#refuses = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts when so many more bytes have gone through. */
  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  /** Nothing arrives any more and nobody is told; new connections get no answer either. */
  freeze(): void {
    this.#frozen = true;
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
  close(): Promise<void>;
}

export interface SshServerOptions {
  /** PATH of those who log in. */
  readonly path?: string;
  /** Lines of their ~/.bashrc. */
  readonly bashrc?: string;
  /** Those who log in find no tmux, wherever they look; see `canHideTmux`. */
  readonly withoutTmux?: boolean;
}

/** In a mount namespace of its own nothing is what it was. */
const HIDING = ['-m', 'sh', '-c', 'mount --bind /dev/null "$(command -v tmux)" && exec "$@"', 'sh'];

/** True when a program can be run that finds no tmux. */
export const canHideTmux = hasSshd && spawnSync('unshare', [...HIDING, 'sh', '-c', '! tmux -V']).status === 0;

/** Starts one. */
export async function startSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const folder = mkdtempSync('/tmp/buddy-test-sshd-');
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.bashrc'), options.bashrc ?? '');
  for (const key of ['host', 'user']) spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)]);
  const hostKey = readFileSync(join(folder, 'host.pub'), 'utf8');
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/user.pub`,
    `PidFile ${folder}/pid`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'MaxStartups 100',
    `SetEnv HOME=${home} LANG=C.UTF-8${options.path === undefined ? '' : ` PATH=${options.path}`}`,
  ];
  writeFileSync(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
  const command = [SSHD, '-D', '-e', '-f', join(folder, 'sshd_config')];
  const [file = '', ...args] = options.withoutTmux === true ? ['unshare', ...HIDING, ...command] : command;
  const server = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await untilListens(server);
  const wire = await Wire.open(port);
  writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${wire.port} ${hostKey}`);
  const client = [
    ...['Host *', `IdentityFile ${folder}/user`, 'IdentitiesOnly yes', `UserKnownHostsFile ${folder}/known_hosts`],
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
    async close() {
      await wire.close();
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
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
