/** The layout from one run to the next: written whole, read strictly, and never in the way of a start. */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { openKeptLayout, parseArrangements } from '../../lib/modes/kept-layout.js';
import { type Arrangements, plainArrangements } from '../../lib/view/arrangement.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-layout-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const host = () => ({ env: {}, homeDir: home }) as unknown as Host;
const folder = () => join(home, '.local/state/buddy');
const file = () => join(folder(), 'layout.json');
const moved: Arrangements = {
  wide: { side: 0.625, strip: null, tasks: 0.2, hidden: ['tasks'] },
  medium: { side: null, strip: 0.5, tasks: null, hidden: [] },
};

test('what was kept last is there in the next run, private, and nothing else lies beside it', async () => {
  const notices: string[] = [];
  const layout = openKeptLayout(host(), (text) => notices.push(text));
  expect(layout.arrangements).toBe(plainArrangements);
  for (let i = 0; i < 50; i++) layout.keep({ ...moved, wide: { ...moved.wide, side: 0.1 + i / 100 } });
  layout.keep(moved);
  await layout.settled();
  expect(openKeptLayout(host(), (text) => notices.push(text)).arrangements).toEqual(moved);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder())).toEqual(['layout.json']);
  expect(notices).toEqual([]);
});

test.each([
  ['{\n  "wide": {},\n  "medium": {\n}', 4, 'it is not JSON'],
  ['{\n  "wide": {\n    "side": 0.5,\n    "strip" 3\n  }\n}', 4, 'it is not JSON'],
  ['', 1, 'it is not JSON'],
  ['[]', 1, 'it must be an object with "wide" and "medium"'],
  ['{\n  "wide": 3\n}', 2, '"wide" must be an object'],
  ['{\n  "wide": { "side": 0.5 },\n  "medium": {\n    "side": 5\n  }\n}', 4, '"side" must be a number from 0.05 to 0.95, or null'],
  ['{\n  "wide": {\n    "hidden": ["conversation"]\n  }\n}', 3, '"hidden" must be a list of "mirror" and "tasks"'],
  ['{\n  "medium": {\n    "colour": 1\n  }\n}', 3, '"colour" is nothing that is kept there'],
])('a broken file names its line: %j', (source, line, problem) => {
  expect(parseArrangements(source)).toEqual({ line, problem });
  mkdirSync(folder(), { recursive: true });
  writeFileSync(file(), source);
  const notices: string[] = [];
  const layout = openKeptLayout(host(), (text) => notices.push(text));
  expect(layout.arrangements).toBe(plainArrangements);
  expect(notices).toEqual([`${file()}:${line}: ${problem}, so the panes stand as usual; moving one writes the file anew.`]);
});

test('what a file leaves out is as usual', () => {
  expect(parseArrangements('{"wide": {"side": 0.5}}')).toEqual({
    arrangements: { ...plainArrangements, wide: { ...plainArrangements.wide, side: 0.5 } },
  });
  expect(parseArrangements('{}')).toEqual({ arrangements: plainArrangements });
});

test('a folder in its place, or a disk that refuses it, is told once and harms nothing', async () => {
  mkdirSync(file(), { recursive: true });
  const notices: string[] = [];
  const layout = openKeptLayout(host(), (text) => notices.push(text));
  expect(notices).toEqual([`${file()} cannot be read, so the panes stand as usual: it is a folder.`]);
  for (let i = 0; i < 3; i++) {
    layout.keep(moved);
    await layout.settled();
  }
  expect(notices).toHaveLength(2);
  expect(notices[1]).toContain('The layout is not kept for the next start');
  expect(readdirSync(folder())).toEqual(['layout.json']);
});

test('an existing file is replaced, not rewritten in place', async () => {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(file(), '{}');
  chmodSync(file(), 0o644);
  const before = statSync(file()).ino;
  const layout = openKeptLayout(host(), () => undefined);
  layout.keep(moved);
  await layout.settled();
  expect(statSync(file()).ino).not.toBe(before);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(moved);
});
