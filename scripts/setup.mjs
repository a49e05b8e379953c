/** Set-up that the README's commands do by themselves: packages, build, system programs. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Ends this script with a sentence on standard error. */
export function fail(sentence, code = 2) {
  process.stderr.write(`buddy-tui: ${sentence}\n`);
  process.exit(code);
}

/** Installs node_modules when it is missing or older than the lock file says. */
export function installPackages() {
  const stamp = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  if (existsSync(stamp) && sameVersions(stamp, lock)) return;
  process.stderr.write('buddy-tui: installing packages (once) …\n');
  // Nothing that the program itself needs is compiled at installation; the tests compile what they need (`installTestPackages`).
  const run = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (run.status !== 0) fail('npm ci failed; see above', 1);
}

/** Compiles node-pty, with which the tests open pseudo terminals. */
export function installTestPackages() {
  if (existsSync(join(root, 'node_modules', 'node-pty', 'build', 'Release', 'pty.node'))) return;
  process.stderr.write('buddy-tui: compiling node-pty for the tests (once) …\n');
  const run = spawnSync('npm', ['rebuild', 'node-pty'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (run.status !== 0) fail('node-pty could not be compiled: it needs python3, make and g++', 1);
}

/** A checkout touches files: what counts is whether the installed versions are those of the lock file. */
function sameVersions(stamp, lock) {
  const versions = (path) => {
    const { packages } = JSON.parse(readFileSync(path, 'utf8'));
    return new Map(Object.entries(packages).map(([name, entry]) => [name, entry.version]));
  };
  const wanted = versions(lock);
  return [...versions(stamp)].every(([name, version]) => wanted.get(name) === version);
}

/** The version of tmux as [major, minor], or null when there is none. */
export function tmuxVersion() {
  const run = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  const found = /(\d+)\.(\d+)/.exec(run.stdout ?? '');
  return found === null ? null : [Number(found[1]), Number(found[2])];
}

/** What is wrong with tmux here, in a sentence; null when it will do. */
export function tmuxProblem() {
  const version = tmuxVersion();
  const remedy = 'install it, for example with: apt-get install tmux';
  if (version === null) return `tmux is not installed; ${remedy}`;
  const [major, minor] = version;
  return major > 3 || (major === 3 && minor >= 2) ? null : `tmux ${major}.${minor} is too old, 3.2 or newer is needed; ${remedy}`;
}

/** Debian packages that give the programs the tests run for real, by the program that shows they are there. */
const testPrograms = {
  tmux: 'tmux',
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  dash: 'dash',
  busybox: 'busybox-static',
  vi: 'vim-tiny',
  less: 'less',
  git: 'git',
  python3: 'python3',
  make: 'make',
  'g++': 'g++',
  ps: 'procps',
  stty: 'coreutils',
};

/** The same for the suites on real servers. */
const serverPrograms = {
  ssh: 'openssh-client',
  '/usr/sbin/sshd': 'openssh-server',
  podman: 'podman',
  runc: 'runc',
  tcsh: 'tcsh',
  sudo: 'sudo',
  openssl: 'openssl',
};

/** What searching uses where it is there; without them the tests with them are skipped. */
const searchPrograms = { rg: 'ripgrep', fdfind: 'fd-find' };

/** Installs the system packages that tests need. Without those for servers their tests are skipped; without the others it fails. */
export function installTestPrograms() {
  const problem = install(testPrograms);
  if (problem !== null) fail(problem);
  const searching = install(searchPrograms);
  if (searching !== null) process.stderr.write(`buddy-tui: ${searching}; the tests of searching with them are skipped\n`);
  const further = install(serverPrograms);
  if (further !== null) process.stderr.write(`buddy-tui: ${further}; the tests on servers and containers that need them are skipped\n`);
}

/** Null when all of them are there, else what to do. */
function install(programs) {
  const here = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  const absent = () => Object.keys(programs).filter((program) => !here(program));
  const missing = [...new Set(absent().map((program) => programs[program]))];
  if (missing.length === 0) return null;
  const line = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const wanted = `the tests need programs that are not here; run: sudo ${line}`;
  if (process.getuid?.() !== 0 || !here('apt-get')) return wanted;
  process.stderr.write(`buddy-tui: ${line}\n`);
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const locked = ['-o', 'DPkg::Lock::Timeout=400'];
  spawnSync('apt-get', [...locked, 'update', '-qq'], options);
  spawnSync('apt-get', [...locked, 'install', '-y', '--no-install-recommends', ...missing], options);
  return absent().length === 0 ? null : `"${line}" failed; see above`;
}
