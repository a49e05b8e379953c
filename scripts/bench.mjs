/** npm run bench: measures the compiled program and prints a table; `--json` one flat object; `--only frame,key` some groups. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bench/measure.mjs';
import { build } from './build.mjs';

/** Budgets (milliseconds, ratios, MB, MB/s): [comparison, limit]. */
const budgets = {
  'frame.unchanged.200x60.cpuMs': ['<=', 0.3],
  'frame.oneCell.200x60.cpuMs': ['<=', 0.3],
  'frame.all.200x60.cpuMs': ['<=', 1.5],
  'frame.unchanged.200x60.100k.cpuMs': ['<=', 0.3],
  'key.p50Ms': ['<=', 5],
  'key.p95Ms': ['<=', 20],
  'key.yes.p50Ms': ['<=', 5],
  'key.yes.p95Ms': ['<=', 20],
  'firstPaint.ratio': ['<=', 1.5],
  'runShell.vsPolling': ['>=', 20],
  'runShell.vsSpawn': ['<=', 1],
  'mirror.yesMBps': ['>=', 10],
  'mirror.100MBGrowthMB': ['<=', 60],
  'rss.idleMB': ['<=', 110],
  'stream.5000.cpuMs': ['<=', 552],
  'sessions.open10kMs': ['<=', 1000],
  // security.md: a command is judged within a second, whatever it is.
  'judge.hostileWorstMs': ['<=', 1000],
  'judge.usualMs': ['<=', 5],
  'sessions.1000.coldMs': ['<=', 200],
  'sessions.1000.warmMs': ['<=', 200],
  'table.ratio': ['<=', 1.3],
  'table.echoMaxMs': ['<=', 50],
};

const groups = {
  frame: () => import('./bench/frames.mjs'),
  firstPaint: () => import('./bench/first-paint.mjs'),
  key: () => import('./bench/keys.mjs'),
  runShell: () => import('./bench/run-shell.mjs'),
  place: () => import('./bench/places.mjs'),
  mirror: () => import('./bench/mirror.mjs'),
  rss: () => import('./bench/memory.mjs'),
  stream: () => import('./bench/stream.mjs'),
  sessions: () => import('./bench/sessions.mjs'),
  judge: () => import('./bench/judge.mjs'),
  table: () => import('./bench/table.mjs'),
};

const args = process.argv.slice(2);
const json = args.includes('--json');
const only = args[args.indexOf('--only') + 1]?.split(',');
const chosen = args.includes('--only') ? Object.keys(groups).filter((name) => only.includes(name)) : Object.keys(groups);

if (!build() || !existsSync(join(root, 'dist', 'lib', 'main.js'))) {
  process.stderr.write('bench: the build failed; see above\n');
  process.exit(1);
}
const rows = {};
let failed = false;
for (const name of chosen) {
  try {
    const { measure } = await groups[name]();
    Object.assign(rows, await measure());
  } catch (thrown) {
    failed = true;
    process.stderr.write(`bench: ${name} could not be measured: ${thrown instanceof Error ? thrown.stack : thrown}\n`);
  }
}
if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
else {
  const wide = Math.max(...Object.keys(rows).map((key) => key.length));
  for (const [key, value] of Object.entries(rows)) {
    const [comparison, limit] = budgets[key] ?? [];
    const kept = comparison === undefined || (comparison === '<=' ? value <= limit : value >= limit);
    const budget = comparison === undefined ? '' : `budget ${comparison} ${limit}${kept ? '' : '   OVER'}`;
    process.stdout.write(`${key.padEnd(wide)}  ${String(value).padStart(10)}  ${budget}\n`);
  }
}
process.exit(failed ? 1 : 0);
