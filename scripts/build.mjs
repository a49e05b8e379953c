/**
 * Compiles lib/ to dist/lib/ when something in it is newer than the last build, and bundles that into dist/bundle/, from which the
 * program starts: loading a hundred small modules would take 50 ms of the first picture. The catalogue of models becomes JSON there. What
 * other programs import of the package is a file of its own beside it, its types are in dist/types. An old dist never outlives a failed build.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinChunks } from './join-chunks.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Throws nothing; answers false when the compiler reported errors (they are on stderr). */
export function build({ force = false } = {}) {
  const sources = ['lib', 'templates/models.toml', 'tsconfig.json', 'tsconfig.types.json', 'package.json'].map((name) =>
    newest(join(root, name)),
  );
  if (!force && existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources)) return true;
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const compiled = (project) => spawnSync(tsc, ['-p', project], { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
  if (!compiled('tsconfig.json') || !compiled('tsconfig.types.json') || !bundle() || !Object.entries(DOORS).every(door)) {
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    return false;
  }
  writeFileSync(
    join(root, 'dist', 'bundle', 'models.json'),
    compiledCatalogue(readFileSync(join(root, 'templates', 'models.toml'), 'utf8')),
  );
  writeFileSync(stamp, '');
  return true;
}

/** Where the bundle begins: the program, and the workers that it starts by their paths. */
const ENTRIES = ['main.js', 'tools/web/page-worker.js', 'base/picture-worker.js', 'extensions/user/thread.js'];

/** What other programs import of the package (`exports` in package.json): the name of the file in the bundle, and what it is made from. */
const DOORS = { client: 'client/index.js', extension: 'extensions/api.js' };

/** A file that needs no other of the bundle. Answers false when the bundler reported errors. */
function door([name, from]) {
  const esbuild = join(root, 'node_modules', '.bin', 'esbuild');
  const options = ['--bundle', '--format=esm', '--platform=node', '--target=node20', '--packages=external', '--log-level=warning'];
  const args = [`dist/lib/${from}`, ...options, `--outfile=dist/bundle/${name}.js`];
  return spawnSync(esbuild, args, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

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
    [
      ...ENTRIES.map((name) => `dist/lib/${name}`),
      ...options,
      '--outbase=dist/lib',
      '--outdir=dist/bundle',
      '--chunk-names=chunks/[name]-[hash]',
    ],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  return run.status === 0 && joinChunks(join(root, 'dist', 'bundle'), ENTRIES, esbuild);
}

/** The catalogue as JSON, which is read in a tenth of the time, and the sum of the text that it was made from. */
export function compiledCatalogue(text) {
  // Loaded here: this file is also read before the packages are there.
  const { parse } = createRequire(import.meta.url)('smol-toml');
  return JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex'), catalogue: parse(text) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(build({ force: process.argv.includes('--force') }) ? 0 : 1);
