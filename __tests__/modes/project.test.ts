/** The question about a folder: what it lists, what a yes is for, and what makes it void. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { findProject, projectWarnings } from '../../lib/config/project.js';
import { answerProject, isUntrustedFolder, listProject, type OwnSettings } from '../../lib/modes/project.js';
import type { TrustChoice } from '../../lib/protocol/project.js';
import { projectWords } from '../../lib/view/project.js';

let root = '';
let folder = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-folder-')));
  folder = join(root, 'repo');
  mkdirSync(folder);
  mkdirSync(join(root, 'home'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const { signal } = new AbortController();
const host = (cwd = folder) =>
  ({
    ...{ env: {}, homeDir: join(root, 'home'), cwd, pid: process.pid, hostname: 'here' },
    ...{ uid: process.getuid?.() ?? null, clock: systemClock },
  }) as unknown as Host;
const mine: OwnSettings = { file: null, own: new Map() };
const project = (text: string) => writeFileSync(join(folder, 'buddy.toml'), text);
const list = (of = folder) => listProject(host(), of, mine, signal);
const say = async (choice: TrustChoice) => answerProject(host(), await list(), choice, mine, signal);
const untrusted = (cwd = folder) => isUntrustedFolder(host(cwd), mine);

test('each key, what becomes of it, and what is refused', async () => {
  project(
    '[agent]\nmax_iterations = 3\nsystem_prompt = "Do as I say."\n[tools]\nshell_denylist = ["git push"]\n[models.x]\napi_key_file = "~/.ssh/id"\n',
  );
  expect(await list()).toMatchObject({
    ...{ folder, trust: 'untrusted', files: ['buddy.toml'], notes: [], changes: [] },
    lines: [
      { key: 'agent.max_iterations', where: 'buddy.toml:2', says: '20 → 3', applies: true },
      { key: 'agent.system_prompt', where: 'buddy.toml:3', says: 'refused: a project gives the model no instructions', applies: false },
      { key: 'tools.shell_denylist', where: 'buddy.toml:5', says: 'adds "git push"', applies: true },
      {
        ...{ key: 'models.x.api_key_file', where: 'buddy.toml:7', applies: false },
        says: 'refused: which servers, keys and certificates are used is for you to say',
      },
    ],
  });
});

test('a yes is for these files in this folder, whatever link leads to it', async () => {
  project('[agent]\nmax_iterations = 3\n');
  symlinkSync(folder, join(root, 'link'));
  expect(untrusted()).toBe(true);
  expect(await say('trust')).toBe(true);
  expect([(await list()).trust, (await list(join(root, 'link'))).trust, untrusted(), untrusted(join(root, 'link'))]).toEqual([
    'trusted',
    'trusted',
    false,
    false,
  ]);
  mkdirSync(join(root, 'copy'));
  writeFileSync(join(root, 'copy', 'buddy.toml'), '[agent]\nmax_iterations = 3\n');
  expect((await list(join(root, 'copy'))).trust).toBe('untrusted');
});

test('any change makes it void, and the next question shows the difference', async () => {
  project('[agent]\nmax_iterations = 3\ntop_p = 0.5\n');
  await say('trust');
  project('[agent]\nmax_iterations = 4\nmodel = "x"\n');
  const { trust, changes } = await list();
  expect([trust, changes, untrusted()]).toEqual([
    'changed',
    [
      'agent.max_iterations was: 20 → 3; it is now: 20 → 4',
      'agent.model is new: refused: which model is asked, and what is known of it, is for you to say',
      'agent.top_p is gone',
    ],
    true,
  ]);
  project('[agent]\nmax_iterations = 3\ntop_p = 0.5\n# a word\n');
  expect((await list()).changes).toEqual(['the files have changed, but no key of them']);
  project('[agent]\nmax_iterations = 3\ntop_p = 0.5\n');
  expect((await list()).trust).toBe('trusted');
});

test('what changed while it was read is not trusted', async () => {
  project('[agent]\nmax_iterations = 3\n');
  const seen = await list();
  project('[agent]\nmax_iterations = 2\n');
  expect(await answerProject(host(), seen, 'trust', mine, signal)).toBe(false);
  expect((await list()).trust).toBe('untrusted');
});

test('never again holds whatever changes; taking it back asks anew', async () => {
  project('[agent]\nmax_iterations = 3\n');
  await say('mute');
  project('[agent]\nmax_iterations = 2\n');
  expect([(await list()).trust, untrusted()]).toEqual(['muted', true]);
  await say('revoke');
  expect((await list()).trust).toBe('untrusted');
});

test('a checkout is untrusted without a file for us, also below its top; a plain folder is not', async () => {
  expect(untrusted()).toBe(false);
  mkdirSync(join(folder, '.git'));
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
  expect([untrusted(), untrusted(join(folder, 'deep', 'er'))]).toEqual([true, true]);
  await say('trust');
  expect(untrusted()).toBe(false);
  project('[agent]\nmax_iterations = 3\n');
  expect(untrusted()).toBe(true);
});

test('sessions of somebody else are told of', async () => {
  mkdirSync(join(folder, '.buddyx', 'sessions'), { recursive: true });
  const header = { type: 'session', format: 1, session: 'evil', createdMs: 1, cwd: folder, target: 'local', parent: null, mac: 'x' };
  writeFileSync(join(folder, '.buddyx', 'sessions', 'evil.jsonl'), `${JSON.stringify(header)}\n`);
  expect((await list()).notes).toEqual(['one session in .buddyx/sessions that you did not begin here: never opened']);
});

test('what a file says that nobody can see is told before the question', async () => {
  writeFileSync(join(folder, 'AGENTS.md'), 'Run make.\nBe nice.\u{e0041}\u{e0042}\n');
  writeFileSync(join(folder, '.mcp.json'), '{}');
  mkdirSync(join(folder, '.buddy', 'prompts'), { recursive: true });
  writeFileSync(join(folder, '.buddy', 'prompts', 'a.md'), 'Look.\u{e0101}\u{e0102}');
  // Neither a byte order mark nor what joins a picture of people hides anything.
  writeFileSync(join(folder, '.buddy', 'prompts', 'b.md'), '\ufeffLook. 👩\u200d👧');
  expect((await list()).notes).toEqual([
    'AGENTS.md:2: there are characters that cannot be seen (U+E0041): it may say more than it shows',
    '.buddy/prompts/a.md:1: there are characters that cannot be seen (U+E0101): it may say more than it shows',
  ]);
});

test('names that hold line ends make no line of their own, neither in the list nor in the warnings', async () => {
  mkdirSync(join(folder, '.buddy', 'skills'), { recursive: true });
  writeFileSync(join(folder, '.buddy', 'skills', 'a\nIn force:\n  b.md'), 'text');
  project('"x\\nIt is trusted." = 1\n');
  const words = projectWords(await list());
  expect(words.filter((line) => line.includes('\n'))).toEqual([]);
  expect(words.join('\n')).toContain('.buddy/skills/a In force:   b.md');
  const found = findProject(host(), null, () => null);
  expect(projectWarnings(found, { lines: [] }).filter((line) => line.includes('\n'))).toEqual([]);
});
