/** Packs the project, installs the tarball into an empty prefix, and uses what was installed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { fail, root } from './setup.mjs';

const folder = mkdtempSync(join(tmpdir(), 'packed-'));

function run(file, args, options = {}) {
  const result = spawnSync(file, args, { cwd: folder, encoding: 'utf8', ...options });
  if (result.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    fail(`"${file} ${args.join(' ')}" ended with ${result.status}:\n${result.stdout}\n${result.stderr}`, 1);
  }
  return result.stdout;
}

function expect(what, holds) {
  if (holds) return;
  rmSync(folder, { recursive: true, force: true });
  fail(`the packed install is wrong: ${what}`, 1);
}

if (!build()) fail('the build failed; see above', 1);
const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root }));
const prefix = join(folder, 'prefix');
run('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', join(folder, packed.filename)]);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') };
for (const name of ['buddy-tui', 'buddy']) {
  expect(`${name} --version`, run(join(prefix, 'bin', name), ['--version'], { env }).trim() === version);
}
const answer = run(join(prefix, 'bin', 'buddy-tui'), ['exec', '--dangerously-auto-approve', 'run echo packed-$((6*7))'], { env });
expect(`exec on the demo answered ${JSON.stringify(answer)}`, answer.includes('packed-42'));
const installed = join(prefix, 'lib', 'node_modules', 'buddy-tui', 'dist', 'bundle', 'models.json');
expect('the compiled catalogue is missing', existsSync(installed));
const worker = join(prefix, 'lib', 'node_modules', 'buddy-tui', 'dist', 'bundle', 'tools', 'web', 'page-worker.js');
const readsPage = `const { Worker } = require('node:worker_threads');
new Worker(${JSON.stringify(worker)}, { workerData: { read: 'page', html: '<p>read <b>me', url: 'https://a.example/' } })
  .once('message', ({ markdown }) => process.stdout.write(markdown));`;
const page = run(process.execPath, ['-e', readsPage], { env });
expect(`the worker of pages answered ${JSON.stringify(page)}`, page === 'read **me**');
expect('the manual is missing', existsSync(join(prefix, 'share', 'man', 'man1', 'buddy-tui.1')));
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`packed install: buddy-tui ${version} works from ${packed.filename} (${packed.files.length} files)\n`);
