/** Packs the project, installs the tarball into an empty prefix, and uses what was installed. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

// A project that has it as a package: the client answers, and its types hold without any of ours.
const project = join(folder, 'project');
mkdirSync(join(project, 'node_modules'), { recursive: true });
symlinkSync(join(prefix, 'lib', 'node_modules', 'buddy-tui'), join(project, 'node_modules', 'buddy-tui'));
writeFileSync(join(project, 'package.json'), '{"type":"module"}');
writeFileSync(
  join(project, 'drive.ts'),
  `import { type BuddyClient, connect, type RuntimeEventEnvelope } from 'buddy-tui/client';
const client: BuddyClient = await connect({ args: ['--direct'] });
const seen: RuntimeEventEnvelope[] = [];
client.onEvent((envelope) => seen.push(envelope));
const state = await client.request({ type: 'state.tell' });
const begun: { readonly task: string | null } = await client.request({ type: 'prompt.submit', text: 'hello' });
// @ts-expect-error there is no such command
client.send({ type: 'prompt.sumbit', text: 'hello' });
const { code } = await client.close();
export const told: string = [state.model.profile, begun.task, code, seen[0]?.event.type].join(' ');
(globalThis as unknown as { process: { stdout: { write(text: string): void } } }).process.stdout.write(told);
`,
);
const strict = ['--strict', '--noEmit', 'false', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', '--types', ''];
run(join(root, 'node_modules', '.bin', 'tsc'), [...strict, 'drive.ts'], { cwd: project });
const driven = run(process.execPath, ['drive.js'], { cwd: project, env });
expect(`the client answered ${JSON.stringify(driven)}`, driven === 'demo 1 0 lifecycle.started');

// An extension of the person's own: its types hold, and the thread loads it.
writeFileSync(
  join(project, 'mine.ts'),
  `import { defineExtension } from 'buddy-tui/extension';
export default defineExtension({ name: 'mine', hooks: { before_tool_call: ({ tool }) => ({ block: \`no \${tool} here\` }) } });
`,
);
run(join(root, 'node_modules', '.bin', 'tsc'), [...strict, 'mine.ts'], { cwd: project });
// The examples that are packed hold to the types that are packed.
const examples = readdirSync(join(root, 'templates', 'extensions'));
for (const name of examples) cpSync(join(root, 'templates', 'extensions', name), join(project, name));
const withNode = [
  ...strict.slice(0, -1),
  'node',
  '--typeRoots',
  join(root, 'node_modules', '@types'),
  '--outDir',
  join(project, 'examples'),
];
run(join(root, 'node_modules', '.bin', 'tsc'), [...withNode, ...examples], { cwd: project });
const blocked = run(join(prefix, 'bin', 'buddy-tui'), ['exec', '--direct', '-e', 'mine.ts', '--dangerously-auto-approve', 'run echo hi'], {
  cwd: project,
  env,
});
expect(`the extension answered ${JSON.stringify(blocked)}`, blocked.includes('no run_shell here'));
expect('the manual is missing', existsSync(join(prefix, 'share', 'man', 'man1', 'buddy-tui.1')));
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`packed install: buddy-tui ${version} works from ${packed.filename} (${packed.files.length} files)\n`);
