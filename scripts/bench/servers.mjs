/** A throw-away sshd on loopback and a throw-away container for measurements; null where they cannot be had. */
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

const where = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `{ destination, path, close }`: `path` is the PATH whose ssh knows the keys. */
export async function startSshd() {
  if (!existsSync('/usr/sbin/sshd') || where('ssh') === '') return null;
  const folder = mkdtempSync('/tmp/buddy-bench-sshd-');
  const home = join(folder, 'home');
  mkdirSync(home);
  mkdirSync(join(folder, 'bin'));
  for (const key of ['host', 'user']) spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)]);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${folder}/host`, `AuthorizedKeysFile ${folder}/user.pub`],
    ...[`PidFile ${folder}/pid`, 'StrictModes no', 'UsePAM no', 'PermitRootLogin yes', `SetEnv HOME=${home} LANG=C.UTF-8`],
  ];
  writeFileSync(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
  writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${port} ${readFileSync(join(folder, 'host.pub'), 'utf8')}`);
  const client = ['Host *', `IdentityFile ${folder}/user`, 'IdentitiesOnly yes', `UserKnownHostsFile ${folder}/known_hosts`];
  writeFileSync(join(folder, 'config'), `${client.join('\n')}\n`);
  writeFileSync(join(folder, 'bin', 'ssh'), `#!/bin/sh\nexec ${where('ssh')} -F ${folder}/config "$@"\n`, { mode: 0o755 });
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (bytes) => {
      said += bytes;
      if (said.includes('Server listening')) resolve();
    });
    server.once('close', () => reject(new Error(`sshd ended: ${said}`)));
  });
  return {
    destination: `${userInfo().username}@127.0.0.1:${port}`,
    path: `${folder}/bin:${process.env.PATH}`,
    close() {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** `{ name, env, close }`: a container with tmux and bash, and the environment under which podman sees it. */
export function startContainer() {
  if (['podman', 'runc', 'busybox', 'tmux', 'bash'].some((program) => where(program) === '')) return null;
  const folder = mkdtempSync('/tmp/buddy-bench-podman-');
  const settings = [
    ...['[containers]', 'default_ulimits = ["nofile=1024:1024","nproc=1024:1024"]'],
    ...['[engine]', 'cgroup_manager="cgroupfs"', 'events_logger="file"', 'runtime="runc"', ''],
  ];
  writeFileSync(join(folder, 'containers.conf'), settings.join('\n'));
  const env = { CONTAINERS_CONF: join(folder, 'containers.conf') };
  const podman = (...args) => spawnSync('podman', args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  makeRoot(join(folder, 'root'));
  const name = `buddy-bench-${process.pid}`;
  const image = `localhost/${name}`;
  spawnSync('tar', ['-C', join(folder, 'root'), '-cf', join(folder, 'root.tar'), '.']);
  podman('import', '--quiet', join(folder, 'root.tar'), image);
  const close = () => {
    podman('rm', '-f', '-t', '0', name);
    podman('rmi', '-f', image);
    rmSync(folder, { recursive: true, force: true });
  };
  if (
    podman('run', '-d', '--name', name, '--network=none', image, 'sleep', '100000').status === 0 &&
    podman('exec', name, 'true').status === 0
  ) {
    return { name, env, close };
  }
  close();
  return null;
}

/** A root folder with busybox, tmux and bash, their libraries, and the terminals that tmux speaks to. */
function makeRoot(root) {
  for (const path of ['bin', 'etc', 'tmp', 'root', 'proc', 'sys', 'dev', 'run', 'usr/bin'])
    mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/bash\n');
  copyFileSync(realpathSync(where('busybox')), join(root, 'bin/busybox'));
  for (const name of spawnSync('busybox', ['--list'], { encoding: 'utf8' }).stdout.trim().split('\n')) {
    if (name !== 'busybox' && name !== 'bash') symlinkSync('busybox', join(root, 'bin', name));
  }
  for (const program of ['tmux', 'bash']) {
    const path = realpathSync(where(program));
    copyFileSync(path, join(root, 'bin', program));
    for (const library of spawnSync('ldd', [path], { encoding: 'utf8' }).stdout.match(/\/\S+/g) ?? []) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
  }
  for (const entry of ['s/screen', 's/screen-256color', 't/tmux-256color', 'x/xterm-256color']) {
    const from = ['/lib/terminfo', '/usr/share/terminfo'].map((base) => join(base, entry)).find((path) => existsSync(path));
    if (from === undefined) continue;
    mkdirSync(join(root, 'lib/terminfo', dirname(entry)), { recursive: true });
    copyFileSync(from, join(root, 'lib/terminfo', entry));
  }
  const locale = '/usr/lib/locale/C.utf8';
  if (existsSync(locale)) cpSync(locale, join(root, locale), { recursive: true });
}
