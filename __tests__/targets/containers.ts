/** Real containers for tests: podman with runc and tiny roots made of this machine's own programs. */

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Settings under which podman runs where resource limits cannot be raised and cgroups are mixed. */
const SETTINGS = `[containers]
default_ulimits = ["nofile=1024:1024","nproc=1024:1024"]
[engine]
cgroup_manager="cgroupfs"
events_logger="file"
runtime="runc"
`;

export interface Containers {
  /** Environment under which `podman` sees them. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts one with these programs besides busybox; answers its name. */
  run(programs: readonly string[]): string;
  /** Starts one from this root folder with further options of `podman run`; answers its name. */
  runRoot(root: string, options: readonly string[]): string;
  podman(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  close(): void;
}

/** Null, and the reason on the way, when containers cannot be run here. */
export function openContainers(): Containers | null {
  if (['podman', 'runc', 'busybox'].some((program) => where(program) === null)) return null;
  const folder = mkdtempSync('/tmp/buddy-test-podman-');
  writeFileSync(join(folder, 'containers.conf'), SETTINGS);
  const env = { PATH: process.env['PATH'] ?? '', CONTAINERS_CONF: join(folder, 'containers.conf') };
  const started: string[] = [];
  const images = new Map<string, string>();
  const podman = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('podman', args, { env: { ...process.env, ...env }, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const imported = (key: string, root: string): string => {
    const archive = join(folder, `root-${images.size}.tar`);
    execFileSync('tar', ['-C', root, '-cf', archive, '.']);
    const name = `localhost/buddy-test:${randomBytes(6).toString('hex')}`;
    const made = podman('import', '--quiet', archive, name);
    if (made.status !== 0) throw new Error(made.stderr);
    images.set(key, name);
    return name;
  };
  const image = (programs: readonly string[]): string => {
    const key = programs.join(' ');
    const known = images.get(key);
    if (known !== undefined) return known;
    const root = join(folder, `root-${images.size}`);
    makeRoot(root, programs);
    return imported(key, root);
  };
  const start = (from: string, options: readonly string[]): string => {
    const name = `buddy-test-${randomBytes(6).toString('hex')}`;
    const made = podman('run', '-d', '--name', name, '--network=none', ...options, from, 'sleep', '100000');
    started.push(name);
    if (made.status !== 0) throw new Error(made.stderr);
    return name;
  };
  const containers: Containers = {
    env,
    podman,
    run: (programs) => start(image(programs), []),
    runRoot: (root, options) => start(images.get(root) ?? imported(root, root), options),
    close() {
      if (started.length > 0) podman('rm', '-f', '-t', '0', ...started);
      for (const name of images.values()) podman('rmi', '-f', name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    const name = containers.run([]);
    if (podman('exec', name, 'true').status === 0) return containers;
  } catch {
    // Told by the tests that skip.
  }
  containers.close();
  return null;
}

function where(program: string): string | null {
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
  return found === '' ? null : found;
}

/** A root folder with busybox under all its names, and further programs with their libraries and what tmux needs. */
function makeRoot(root: string, programs: readonly string[]): void {
  for (const folder of ['bin', 'etc', 'tmp', 'root', 'proc', 'sys', 'dev', 'run', 'usr/bin'])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  const busybox = where('busybox') ?? '';
  copyFileSync(realpathSync(busybox), join(root, 'bin/busybox'));
  for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (name !== 'busybox' && !programs.includes(name)) symlinkSync('busybox', join(root, 'bin', name));
  }
  for (const program of programs) {
    const path = realpathSync(where(program) ?? '');
    copyFileSync(path, join(root, 'bin', program));
    const libraries = spawnSync('ldd', [path], { encoding: 'utf8' }).stdout.match(/\/\S+/g) ?? [];
    for (const library of libraries) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
  }
  if (!programs.includes('tmux')) return;
  for (const entry of ['s/screen', 's/screen-256color', 't/tmux', 't/tmux-256color', 'x/xterm', 'x/xterm-256color']) {
    const from = ['/lib/terminfo', '/usr/share/terminfo'].map((base) => join(base, entry)).find((path) => existsSync(path));
    if (from === undefined) continue;
    mkdirSync(join(root, 'lib/terminfo', dirname(entry)), { recursive: true });
    copyFileSync(from, join(root, 'lib/terminfo', entry));
  }
  const locales = '/usr/lib/locale';
  for (const locale of existsSync(locales) ? readdirSync(locales).filter((name) => /^C\.utf-?8$/i.test(name)) : []) {
    cpSync(join(locales, locale), join(root, locales, locale), { recursive: true });
  }
}
