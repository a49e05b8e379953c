/**
 * Compiles lib/ to dist/lib/ when something in it is newer than the last build, and bundles that into dist/bundle/, from which the
 * program starts: loading a hundred small modules would take 50 ms of the first picture. An old dist never outlives a failed build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Throws nothing; answers false when the compiler reported errors (they are on stderr). */
export function build({ force = false } = {}) {
  const sources = ['lib', 'tsconfig.json', 'package.json'].map((name) => newest(join(root, name)));
  if (!force && existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources)) return true;
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const run = spawnSync(tsc, ['-p', 'tsconfig.json'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (run.status !== 0 || !bundle()) {
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    return false;
  }
  writeFileSync(stamp, '');
  return true;
}

/** Where the bundle begins: the program, and the worker that it starts by its path. */
const ENTRIES = ['dist/lib/main.js', 'dist/lib/tools/web/page-worker.js'];

/** Own code only: packages are loaded from node_modules. What is imported later stays in files of its own. */
function bundle() {
  const esbuild = join(root, 'node_modules', '.bin', 'esbuild');
  const options = [
    '--bundle',
    '--splitting',
    '--format=esm',
    '--platform=node',
    '--target=node20',
    '--packages=external',
    '--log-level=warning',
  ];
  const run = spawnSync(
    esbuild,
    [...ENTRIES, ...options, '--outbase=dist/lib', '--outdir=dist/bundle', '--chunk-names=chunks/[name]-[hash]'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  return run.status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(build({ force: process.argv.includes('--force') }) ? 0 : 1);
