/** Extensions that a folder brings along: none is loaded before it is trusted, then exactly those that were listed, and none that was changed since. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { connect } from '../../lib/client/index.js';
import { answerProject, listProject } from '../../lib/modes/project.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
let folder: string;
beforeEach(() => {
  home = freshHome();
  folder = join(home.folder, 'repo');
  mkdirSync(join(folder, '.buddy', 'extensions', 'deep'), { recursive: true });
});
afterEach(() => home.dispose());

const settings = { file: null, own: new Map() };
const hostOf = () =>
  ({
    ...{ cwd: folder, env: {}, homeDir: home.folder, pid: process.pid, hostname: 'here', clock: systemClock },
    uid: process.getuid?.() ?? null,
  }) as unknown as Host;
const signal = new AbortController().signal;

/** Writes down that it was loaded, and what it could reach by a relative path. */
const witness = (name: string, more = '') =>
  `import { appendFileSync, existsSync } from 'node:fs';
   appendFileSync(${JSON.stringify(join(home.folder, 'loaded'))}, '${name} ' + existsSync(new URL('../../buddy.toml', import.meta.url)) + '\\n');
   ${more}
   export default { name: '${name}' };`;

function put(name: string, source: string): void {
  writeFileSync(join(folder, '.buddy', 'extensions', name), source);
}

function loaded(): readonly string[] {
  const path = join(home.folder, 'loaded');
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').sort() : [];
}

function exec(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const run = execFile(
      process.execPath,
      [programPath(), 'exec', '--direct', '-m', 'demo', ...args, 'hello'],
      { env: home.env, cwd: folder },
      (_error, _stdout, stderr) => resolve(stderr),
    );
    run.stdin?.end('');
  });
}

test('0 loads before trust, exactly what was listed after it, none that was changed, none that came since', async () => {
  writeFileSync(join(folder, 'buddy.toml'), '');
  writeFileSync(join(folder, 'outside.ts'), witness('outside'));
  put('one.ts', witness('one', "import { deep } from './deep/part.ts'; if (deep !== 1) throw new Error('no part');"));
  put('deep/part.ts', 'export const deep: number = 1;');
  put('reaches.ts', witness('reaches', "import '../../outside.ts';"));
  symlinkSync(join(folder, 'outside.ts'), join(folder, '.buddy', 'extensions', 'linked.ts'));

  const before = await exec();
  expect(loaded()).toEqual([]);
  expect(before).toMatch(/\.buddy\/extensions\/.* ignored/);

  const listing = await listProject(hostOf(), folder, settings, signal);
  expect(await answerProject(hostOf(), listing, 'trust', settings, signal)).toBe(true);
  const trusted = await exec();
  // The copy has nothing beside it: what lies outside of the listed files cannot be reached, nor what a link leads to.
  expect(loaded()).toEqual(['one false']);
  expect(trusted).toMatch(/Extension reaches .* is disabled: .*outside\.ts/);
  expect(trusted).not.toContain('Extension one');

  put('two.ts', witness('two'));
  const more = await exec();
  expect(loaded()).toEqual(['one false']);
  expect(more).toContain('this is not what you trusted');

  const again = await listProject(hostOf(), folder, settings, signal);
  expect(again.changes.join()).toContain('.buddy/extensions/two.ts is new');
  await answerProject(hostOf(), again, 'trust', settings, signal);
  put('one.ts', witness('one-changed'));
  await exec();
  expect(loaded()).toEqual(['one false']);
}, 60_000);

test('--no-extensions keeps those of a trusted folder out as well', async () => {
  put('one.ts', witness('one'));
  await answerProject(hostOf(), await listProject(hostOf(), folder, settings, signal), 'trust', settings, signal);
  await exec('--no-extensions');
  expect(loaded()).toEqual([]);
  await exec();
  expect(loaded()).toEqual(['one false']);
});

test('the copy is for its owner only, and has what was listed', async () => {
  put('one.ts', witness('one'));
  await answerProject(hostOf(), await listProject(hostOf(), folder, settings, signal), 'trust', settings, signal);
  await exec();
  const store = join(home.folder, '.local', 'state', 'buddy', 'extensions');
  const [copy = ''] = readdirSync(store);
  expect(readFileSync(join(store, copy, 'one.ts'), 'utf8')).toBe(witness('one'));
});

test('/reload leaves out what was changed since the yes, and says so', async () => {
  put('one.ts', witness('one'));
  await answerProject(hostOf(), await listProject(hostOf(), folder, settings, signal), 'trust', settings, signal);
  programPath();
  const client = await connect({ cwd: folder, env: home.env, args: ['--direct', '-m', 'demo'] });
  const told: string[] = [];
  client.onEvent(({ event }) => {
    if (event.type === 'warning' || event.type === 'notice') told.push(event.message);
  });
  await until('it is loaded', () => (loaded().length === 1 ? true : null));
  put('one.ts', witness('one-changed'));
  await client.request({ type: 'extensions.reload' });
  await until('it was loaded anew', () => told.find((text) => text.startsWith('Loaded anew: 0 extensions')) ?? null);
  expect(told).toContain(`${folder}: .buddy/extensions/one.ts is ignored: this is not what you trusted; /trust shows what it would do`);
  expect(loaded()).toEqual(['one false']);
  await client.close();
});
