/** Every character takes as many cells in the emulator as in a real tmux; so do those that are made of several. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { loadEmulator, writeAll } from '../../lib/targets/terminal-emulator.js';
import { until } from '../support/until.js';
import { privateSocket } from './local-target.js';

// Thousands of characters, on a machine that may have more to do; each page has its own limit.
jest.setTimeout(120_000);

const COLUMN = 12;
const PER_ROW = 40;
const ROWS = 200;
const COLS = COLUMN * PER_ROW;

const socket = privateSocket();
const folder = mkdtempSync('/tmp/buddy-test-widths-');
const { TMUX, TMUX_PANE, ...env } = process.env;
const tmux = (...args: readonly string[]) =>
  spawnSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8', maxBuffer: 50_000_000 }).stdout;

beforeAll(() => tmux('new-session', '-d', '-x', String(COLS), '-y', String(ROWS + 1), 'stty raw -echo; cat'));
afterAll(() => {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(`/tmp/tmux-${userInfo().uid}`, socket), { force: true });
});

/** Cells of each text in tmux and in the emulator; null when tmux does not show it. */
async function widths(texts: readonly string[]): Promise<readonly (readonly [text: string, inTmux: number | null, here: number])[]> {
  const place = (at: number) => `\x1b[${Math.floor(at / PER_ROW) + 1};${(at % PER_ROW) * COLUMN + 1}H`;
  const page = `\x1bc\x1b[?7l${texts.map((text, at) => `${place(at)}<${text}>${place(at)}\x1b[${COLUMN - 1}C.`).join('')}\x1b[${ROWS + 1};1Hend`;
  writeFileSync(join(folder, 'page'), page);
  tmux('new-window', '-k', '-t', ':1', `stty raw -echo; cat ${folder}/page; sleep 1000`);
  const shown = await until(
    'tmux shows the page',
    () => {
      const lines = tmux('capture-pane', '-p', '-N', '-t', ':1').split('\n');
      return lines[ROWS]?.startsWith('end') ? lines : null;
    },
    30_000,
  );
  const terminal = (await loadEmulator()).create(COLS, ROWS + 1, 0);
  await writeAll(terminal, page);
  const rows = shown.map((line) => line.split(/(?<=> *)\./));
  return texts.map((text, at) => {
    const line = terminal.buffer.active.getLine(Math.floor(at / PER_ROW));
    const left = (at % PER_ROW) * COLUMN;
    let here = 0;
    while (line?.getCell(left + 1 + here)?.getChars() !== '>' && here < COLUMN) here++;
    const cell = rows[Math.floor(at / PER_ROW)]?.[at % PER_ROW] ?? '';
    // What is not text is blank: < text > and the rest up to the full stop.
    const blanks = cell.length - cell.trimEnd().length;
    return [text, cell.startsWith('<>') ? null : COLUMN - 3 - blanks, here];
  });
}

/** Assigned characters with a place of their own in a line, without most of the ideographs, which are all alike. */
function characters(): readonly string[] {
  const alike: readonly (readonly [number, number])[] = [
    [0x3400, 0x9fff],
    [0xac00, 0xd7a3],
    [0x17000, 0x18cff],
    [0x1b170, 0x1b2fb],
  ];
  const found: string[] = [];
  for (let code = 0xa1; code < 0x20000; code++) {
    const character = String.fromCodePoint(code);
    if (/[\p{Cn}\p{Cs}\p{Co}]/u.test(character)) continue;
    if (code % 50 !== 0 && alike.some(([from, to]) => code >= from && code <= to)) continue;
    found.push(character);
  }
  return found;
}

/** Unicode 16 gave them two cells; they have one in a C library that does not know it yet. */
const WIDE_SINCE_16 = /^[\u2630-\u2637\u268a-\u268f\u{1d300}-\u{1d376}]$/u;
/** A spacing mark since Unicode 14 in one place, and none in another. */
const UNSURE = /^\u{1171e}$/u;
/** They join or say nothing by themselves: tmux leaves them out of a cell, or keeps the cell. */
const ALONE = /^[\u200d\ufeff]$/;

test('every character that tmux shows', async () => {
  const all = characters();
  let seen = 0;
  for (let at = 0; at < all.length; at += PER_ROW * ROWS) {
    const page = await widths(all.slice(at, at + PER_ROW * ROWS));
    const known = page.filter(([text, inTmux]) => inTmux !== null && !ALONE.test(text) && !UNSURE.test(text));
    seen += known.length;
    const wrong = known.filter(([text, inTmux, here]) => inTmux !== here && !WIDE_SINCE_16.test(text));
    expect(wrong.map(([text, ...cells]) => `${text} U+${text.codePointAt(0)?.toString(16)} ${cells.join(' ')}`)).toEqual([]);
  }
  expect(seen).toBeGreaterThan(25_000);
});

test('what is made of several', async () => {
  const made = [
    '👩‍💻',
    '👍🏽',
    '🇵🇱',
    '❤️',
    '🏳️‍🌈',
    'e\u0301',
    'हिन्दी',
    '1️⃣',
    '🥲',
    '🪄',
    '🫡🏽',
    '👩‍👩‍👧',
    'กำ',
    'क्ष',
    'a\u00adb',
    '⌚️',
    '☎︎',
    'a\u200bb',
    '日本',
    '🧑‍🚀x',
    'ᄒᆞᆫ',
    'ạ̈',
    'Z͑ͫ̓',
    'தமிழ்',
    'עִבְרִית',
    'ไทยกำลัง',
    '𝔘𝔫𝔦',
    '🀄🈚',
    '㎏①',
  ];
  for (const [text, inTmux, here] of await widths(made)) expect([text, here]).toEqual([text, inTmux]);
});
