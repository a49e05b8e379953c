/** rules.json: what was saved comes back, and a file that is not sound is told of and left alone. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { openSavedRules } from '../../lib/modes/saved-rules.js';
import type { Rule } from '../../lib/protocol/rules.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-rules-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => openSavedRules({ env: {}, homeDir: home } as unknown as Host);
const path = () => join(home, '.local/state/buddy/rules.json');

function put(text: string): void {
  mkdirSync(dirname(path()), { recursive: true });
  writeFileSync(path(), text, { mode: 0o600 });
}

const anywhere = { target: 'web-01 (ssh)', host: 'web-01', user: 'root', folder: null };
const gitLog: Rule = {
  subject: { kind: 'command', words: ['git', 'log'], exact: false },
  place: { ...anywhere, folder: '/srv/"a"' },
  saved: true,
};
const inApp: Rule = { subject: { kind: 'folder', path: '/srv/app' }, place: anywhere, saved: true };
const oneFile: Rule = { subject: { kind: 'file', path: '/srv/größe' }, place: anywhere, saved: true };

test('there is nothing at first, and nothing is made before it is needed', async () => {
  const { store, problem } = await open();
  expect([store.known, problem, existsSync(path())]).toEqual([[], null, false]);
});

test('what was added comes back in the next run, a rule a line, private; what was removed does not', async () => {
  const { store } = await open();
  await Promise.all([store.add(gitLog), store.add(inApp), store.add(oneFile), store.add(gitLog)]);
  expect((await open()).store.known).toEqual([inApp, oneFile, gitLog]);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readFileSync(path(), 'utf8').split('\n')[1]).toBe(
    '  {"folder":"/srv/app","target":"web-01 (ssh)","host":"web-01","user":"root"},',
  );
  await store.remove(inApp);
  expect((await open()).store.known).toEqual([oneFile, gitLog]);
});

test('two programs that add at different times lose nothing', async () => {
  const [one, other] = [(await open()).store, (await open()).store];
  await one.add(gitLog);
  await other.add(inApp);
  expect((await open()).store.known).toEqual([gitLog, inApp]);
});

const sound = '{"words":["ls"],"exact":true,"target":"this host","host":"h","user":"u"}';

test.each([
  ['no JSON', `[\n  ${sound},\n  oops\n]`, ':3: this is not JSON'],
  ['cut off', `[\n  ${sound},\n`, ':3: this is not JSON'],
  ['a comma too many', `[\n  ${sound},\n,\n  ${sound}\n]`, ':3: this is not JSON'],
  ['a comma too few', `[\n  ${sound}\n  ${sound}\n]`, ':3: this is not JSON'],
  ['an open quote', `[\n  {"words: []},\n  ${sound}\n]`, ':2: this is not JSON'],
  ['no list', '{"a": 1}', ':1: this must be a list'],
  ['an item that is none', `[\n ${sound},\n\n 7]`, ':4: this is no rule'],
  ['a field that is not known', `[\n  ${sound.replace('}', ',"if":"asked"}')}\n]`, ':2: this is no rule'],
  ['two subjects', `[${sound.replace('{', '{"file":"/a/b",')}]`, ':1: this is no rule'],
  ['no host', `[\n${sound},\n${sound.replace('"host":"h",', '')}]`, ':3: this is no rule'],
  [
    'a rule that would let everything through',
    `[\n{"words":["sudo"],"exact":false,"target":"t","host":"h","user":"u"}\n]`,
    ':2: a rule for sudo',
  ],
  ['a folder that is too wide', `[\n{"folder":"/","target":"t","host":"h","user":"u"}\n]`, ':2: a rule for all of /'],
])('%s: one sentence with the line, the rules are ignored, and the file is never written over', async (_what, text, sentence) => {
  put(text);
  const { store, problem } = await open();
  expect(store.known).toEqual([]);
  expect(problem).toContain(`rules.json${sentence}`);
  expect(problem).toMatch(/; the rules in it are ignored$/);
  await expect(store.add(gitLog)).rejects.toThrow('rules.json');
  expect(readFileSync(path(), 'utf8')).toBe(text);
});

test('a file that others may write to is ignored', async () => {
  put(`[${sound}]`);
  chmodSync(path(), 0o666);
  const { store, problem } = await open();
  expect([store.known, problem]).toEqual([[], expect.stringContaining('others may write to it')]);
});

test('a folder in its place is told of', async () => {
  mkdirSync(path(), { recursive: true });
  const { problem } = await open();
  expect(problem).toContain('rules.json cannot be read: it is a folder');
});
