/**
 * Makes one file of all that the first picture of the dashboard needs. The bundler cuts a module out for each set of modes that share it,
 * and to find and read twenty small files takes a tenth of the time to that picture. The files that were joined stay, and pass on what is
 * in the one, so that every module still exists once.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The chunks that a file of the bundle imports at once. */
function imported(text) {
  return [...text.matchAll(/^(?:import|\} from) "(?:\.\.?\/)+(?:chunks\/)?([^"]+)";/gm)].map((found) => found[1]);
}

/** All that is loaded with a file, itself included. */
function closure(folder, file, seen = new Map()) {
  if (seen.has(file)) return seen;
  const text = readFileSync(join(folder, file), 'utf8');
  seen.set(file, text);
  for (const name of imported(text)) closure(folder, name, seen);
  return seen;
}

/** What a chunk exports, by its names. */
function exportsOf(text) {
  const list = /^export \{([^}]*)\};\s*$/m.exec(text)?.[1] ?? '';
  return list
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .split(/\s+as\s+/)
        .at(-1),
    )
    .filter((name) => name !== '');
}

/** Joins them; what `others` (files of the bundle) need stays apart. Answers false when the bundler reported errors (they are on stderr). */
export function joinChunks(bundle, others, esbuild) {
  const folder = join(bundle, 'chunks');
  const dashboard = readdirSync(folder).find((name) => name.startsWith('dashboard-'));
  // What main itself needs is loaded for every mode, and no worker is to load a screen.
  const early = new Map();
  for (const other of others) for (const name of imported(readFileSync(join(bundle, other), 'utf8'))) closure(folder, name, early);
  const joined = [...closure(folder, dashboard)].filter(([name]) => !early.has(name));
  const parts = joined.map(([name, text], index) => ({
    name,
    names: exportsOf(text).map((own) => ({ own, outer: name === dashboard ? own : `${own}_${index}` })),
  }));
  const list = (names, one) => names.map(one).join(', ');
  const entry = parts.map(({ name, names }) => `export { ${list(names, ({ own, outer }) => `${own} as ${outer}`)} } from "./${name}";`);
  const externals = [...early.keys()].map((name) => `--external:./${name}`);
  const dynamic = readdirSync(folder).filter((name) => !early.has(name) && !parts.some((part) => part.name === name));
  externals.push(...dynamic.map((name) => `--external:./${name}`));
  const options = [
    '--bundle',
    '--format=esm',
    '--platform=node',
    '--target=node20',
    '--packages=external',
    '--log-level=warning',
    '--allow-overwrite',
  ];
  const run = spawnSync(esbuild, [...options, ...externals, `--outfile=${join(folder, dashboard)}`], {
    cwd: folder,
    input: entry.join('\n'),
    stdio: ['pipe', 2, 2],
  });
  if (run.status !== 0) return false;
  for (const { name, names } of parts) {
    if (name === dashboard) continue;
    writeFileSync(join(folder, name), `export { ${list(names, ({ own, outer }) => `${outer} as ${own}`)} } from "./${dashboard}";\n`);
  }
  return true;
}
