/** read_file on what changes under it: what is told is of the file that was judged, and nothing makes it wait. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeShell } from '../../lib/policy/shell/judge.js';
import { readLocalFile, realLocalPath, writeLocalFile } from '../../lib/targets/places/local-files.js';
import { editFileTool } from '../../lib/tools/edit-file.js';
import { readFileTool } from '../../lib/tools/read-file.js';
import type { ReviewContext, ToolContext } from '../../lib/tools/tool.js';
import { writeFileTool } from '../../lib/tools/write-file.js';
import { fakeTarget } from '../support/fake-target.js';

const never = new AbortController().signal;
let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-swap-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What a tool is given, with the files of this machine. */
function context(signal = never): ToolContext {
  const target = { ...fakeTarget().target, readFile: readLocalFile, realPath: realLocalPath, writeFile: writeLocalFile };
  const judge = (command: string) => judgeShell(command, { denylist: [], mode: 'all' });
  return { target, signal, judge } as unknown as ToolContext;
}

/** As the turn does it: looked at, judged, and read when nothing has to be asked. */
async function read(path: string): Promise<{ readonly text: string; readonly summary: string }> {
  const here = { ...context(), homeDir: home } as unknown as ToolContext & ReviewContext;
  const asked = readFileTool.parse({ path, why: 'w' });
  const looked = (await readFileTool.prepare?.(asked, here, never)) ?? asked;
  const review = readFileTool.review(looked, here);
  if (review.kind !== 'allow') throw new Error(review.kind === 'ask' ? 'asked about' : review.reason);
  return readFileTool.run(looked, here);
}

/** Swaps a link between two files so many times, as fast as it goes. */
const SWAPS = 10_000;
const SWAPPER = `const fs = require('node:fs'); const [link, one, other] = process.argv.slice(1);
for (let at = 0; at < ${SWAPS}; at++) { fs.symlinkSync(at % 2 ? one : other, link + '.next'); fs.renameSync(link + '.next', link); }
fs.symlinkSync(one, link + '.next'); fs.renameSync(link + '.next', link);`;

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux(
  'a link that is swapped 10 000 times between a harmless file and a key: the key is never told',
  async () => {
    const [link, harmless, key] = [join(home, 'notes'), join(home, 'harmless'), join(home, '.ssh/id_ed25519')];
    mkdirSync(join(home, '.ssh'));
    writeFileSync(harmless, 'harmless');
    writeFileSync(key, 'THE KEY');
    symlinkSync(harmless, link);
    const swapper = spawn(process.execPath, ['-e', SWAPPER, link, harmless, key]);
    const ended = new Promise<void>((resolve) => swapper.on('exit', () => resolve()));
    let isSwapping = true;
    void ended.then(() => {
      isSwapping = false;
    });
    const seen = { harmless: 0, refused: 0 };
    while (isSwapping) {
      const told = await read(link).then(({ text }) => text, String);
      if (told === 'harmless') seen.harmless++;
      else {
        expect(told).toMatch(/asked about|leads somewhere else/);
        seen.refused++;
      }
    }
    // Both were met, so it was a race.
    expect([seen.harmless > 0, seen.refused > 0]).toEqual([true, true]);
  },
  60_000,
);

onLinux(
  'the same under write_file: the key stays what it is',
  async () => {
    const [link, harmless, key] = [join(home, 'notes'), join(home, 'harmless'), join(home, '.ssh/id_ed25519')];
    mkdirSync(join(home, '.ssh'));
    for (const path of [harmless, key]) writeFileSync(path, 'as it was');
    symlinkSync(harmless, link);
    const swapper = spawn(process.execPath, ['-e', SWAPPER, link, harmless, key]);
    let isSwapping = true;
    swapper.on('exit', () => {
      isSwapping = false;
    });
    const here = { ...context(), homeDir: home, allowedPaths: [] } as unknown as ToolContext & ReviewContext;
    let written = 0;
    while (isSwapping) {
      const asked = writeFileTool.parse({ path: link, content: `number ${written}`, why: 'w' });
      // A person is asked between the two; here nobody waits.
      const looked = (await writeFileTool.prepare?.(asked, here, never)) ?? asked;
      if (writeFileTool.review(looked, here).kind === 'deny') continue;
      const outcome = await writeFileTool.run(looked, here).then(() => 'written', String);
      if (outcome === 'written') written++;
      else expect(outcome).toMatch(/leads somewhere else|has been changed/);
      expect(readFileSync(key, 'utf8')).toBe('as it was');
    }
    expect(written).toBeGreaterThan(0);
  },
  60_000,
);

test('ten reads of each thing that could make one wait end at once, while the process goes on', async () => {
  const pipe = join(home, 'pipe');
  const sparse = join(home, 'sparse');
  execFileSync('mkfifo', [pipe]);
  writeFileSync(sparse, '');
  truncateSync(sparse, 5 * 2 ** 30);
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  const started = performance.now();
  for (const path of [pipe, '/dev/zero', '/dev/tty', '/dev/fd/0']) {
    const told = await Promise.all(Array.from({ length: 10 }, () => read(path).then(({ text }) => text, String)));
    expect([path, told.every((text) => /cannot read|asked about|is not read/.test(text))]).toEqual([path, true]);
  }
  expect((await read(sparse)).summary).toMatch(/^binary · 5/);
  clearInterval(turning);
  expect([performance.now() - started < 5000, turns > 0]).toEqual([true, true]);
});

test('an edit whose link is turned between the look and the reading tells nothing of the other file', async () => {
  const [link, harmless, key] = [join(home, 'notes'), join(home, 'harmless'), join(home, '.ssh/id_ed25519')];
  mkdirSync(join(home, '.ssh'));
  writeFileSync(harmless, 'harmless');
  writeFileSync(key, 'THE KEY');
  symlinkSync(key, link);
  const { target, ...rest } = { ...context(), homeDir: home, allowedPaths: [] } as unknown as ToolContext & ReviewContext;
  // It led to the harmless one when it was judged.
  const judged = { ...rest, target: { ...target, realPath: () => Promise.resolve(harmless) } };
  const asked = editFileTool.parse({ path: link, oldText: 'THE KEX', newText: 'x', why: 'w' });
  await expect(editFileTool.prepare?.(asked, judged as ReviewContext, never)).rejects.toMatchObject({ code: 'tool.stale' });
});
