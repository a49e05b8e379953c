/** Recordings of real programs and of terminal tests, played in a real pane: the mirror shows what tmux shows, cell for cell. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Terminal } from '@xterm/headless';
import { startProcess } from '../../lib/base/process.js';
import { loadEmulator, writeAll } from '../../lib/targets/terminal-emulator.js';
import { ControlChannel } from '../../lib/targets/tmux/control-channel.js';
import { PaneMirror } from '../../lib/targets/tmux/mirror.js';
import { copyScreen } from '../../lib/targets/tmux/screen-copy.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { type Cell, capturedCells, emulatedCells, sameRow } from './captured-cells.js';
import { privateSocket } from './local-target.js';

jest.setTimeout(120_000);

interface Recording {
  readonly name: string;
  readonly path: string;
  readonly cols: number;
  readonly rows: number;
}

const corpora = join(process.cwd(), '../shared/corpora');
/** In both folders together. */
const RECORDINGS = 119;

function recordings(): readonly Recording[] {
  const real = join(corpora, 'alacritty-ref');
  const tests = join(corpora, 'xtermjs-escape/test/fixtures/escape_sequence_files');
  const played = readdirSync(real).filter((file) => file.endsWith('.recording'));
  const sized = played.map((file) => {
    const name = file.replace('.recording', '');
    const { columns, screen_lines } = JSON.parse(readFileSync(join(real, `${name}.size.json`), 'utf8'));
    return { name, path: join(real, file), cols: columns, rows: screen_lines };
  });
  const small = readdirSync(tests).filter((file) => file.endsWith('.in'));
  return [...sized, ...small.map((file) => ({ name: file.replace('.in', ''), path: join(tests, file), cols: 80, rows: 25 }))];
}

/** A pane that plays files, and a mirror of it whose time the test moves. */
async function openPlayer() {
  const folder = mkdtempSync('/tmp/buddy-test-player-');
  const socket = privateSocket();
  const { TMUX, TMUX_PANE, ...env } = process.env;
  const tmux = (...args: readonly string[]) =>
    spawnSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' }).stdout;
  const version = spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout.trim();
  const next = join(folder, 'next');
  // Real recordings were made behind the line discipline, terminal tests before it. What one leaves behind ends with RIS.
  const play = `mkfifo ${next}; exec 3<>${next}; printf 'ready'; while read -r output file <&3; do stty raw -echo $output; printf '\\033[?1049l\\033c'; cat "$file"; printf '\\033]777;played\\033\\\\'; done`;
  tmux('new-session', '-d', '-s', 'player', '-x', '80', '-y', '25', play);
  tmux('set-option', '-w', '-t', 'player:', 'window-size', 'manual');
  const emulators = await loadEmulator();
  const made: Terminal[] = [];
  const clock = new FakeClock();
  let copies = 0;
  let seen = '';
  const mirror = new PaneMirror(
    () => {
      const terminal = emulators.create(80, 25, 0);
      made.push(terminal);
      return terminal;
    },
    clock,
    () => undefined,
    () =>
      copyScreen(channel, '%0', (copy) => {
        copies++;
        mirror.restore(copy);
      }),
  );
  const child = startProcess(
    'tmux',
    ['-u', '-L', socket, '-f', '/dev/null', '-C', 'attach-session', '-t', '=player', '-f', 'ignore-size'],
    {
      env: env as Readonly<Record<string, string>>,
      ownGroup: true,
    },
  );
  const channel: ControlChannel = new ControlChannel(child, {
    output(_pane, bytes) {
      mirror.feed(bytes);
      seen = (seen + bytes.toString('latin1')).slice(-100);
    },
    notification: () => undefined,
    closed: () => undefined,
  });
  await channel.opened;
  await until('the player is ready', () => tmux('capture-pane', '-p', '-t', '%0').includes('ready'));
  const [terminal] = made;
  if (terminal === undefined) throw new Error('the mirror makes an emulator');
  const cursor = () => ({ x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY });
  return {
    version,
    /** Plays a file on a screen of its size; resolves when the mirror has all of it, as the bytes alone made it. */
    async play({ path, cols, rows }: Recording) {
      await channel.request(`resize-window -t %0 -x ${cols} -y ${rows}`);
      mirror.resize(cols, rows);
      writeFileSync(next, `${path.endsWith('.in') ? 'opost' : '-opost'} ${path}\n`);
      await until('all of it has come', () => seen.endsWith('\x1b]777;played\x1b\\'));
      seen = '';
      await clock.advance(40);
      await writeAll(terminal, '');
    },
    /** Lets so much time pass that the mirror asks tmux. */
    async quiet() {
      const before = copies;
      await clock.advance(2000);
      await until('tmux was asked', () => copies > before);
      await until('it was compared', () => mirror.isSettled);
    },
    mirrored: () => ({ cells: emulatedCells(terminal), cursor: cursor() }),
    captured() {
      const [x = 0, y = 0] = tmux('display-message', '-p', '-t', '%0', '#{cursor_x} #{cursor_y}').split(' ').map(Number);
      const lines = tmux('capture-pane', '-p', '-e', '-N', '-t', '%0').split('\n').slice(0, -1);
      return { cells: capturedCells(lines), cursor: { x, y } };
    },
    async close() {
      mirror.dispose();
      await channel.detach();
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
      rmSync(join(`/tmp/tmux-${userInfo().uid}`, socket), { force: true });
    },
  };
}

type Screen = { readonly cells: readonly (readonly Cell[])[]; readonly cursor: { readonly x: number; readonly y: number } };

/** Rows that differ, from 0, and `cursor`; '' when none. */
function differences(mirrored: Screen, captured: Screen): string {
  const rows = mirrored.cells.flatMap((row, y) => (sameRow(row, captured.cells[y] ?? []) ? [] : [y]));
  const runs = rows
    .filter((y) => !rows.includes(y - 1))
    .map((from) => {
      let to = from;
      while (rows.includes(to + 1)) to++;
      return to === from ? `${from}` : `${from}-${to}`;
    });
  const cursor = JSON.stringify(mirrored.cursor) === JSON.stringify(captured.cursor) ? [] : ['cursor'];
  return [...runs, ...cursor].join(' ');
}

/**
 * Where tmux 3.3a and xterm.js read the same bytes differently: rows (from 0) and cursor, until the mirror has asked tmux. tmux is right:
 * what it shows is what a person sees who attaches.
 */
const edge =
  'behind the last cell of a row xterm.js moves onto that cell before LF, VT, FF, BS, IND, RI, CUB and CUD move on; tmux counts from behind it';
const unknown = 'tmux does not know the sequence';
const column = 'xterm.js puts the cursor into the first column after IL and DL, tmux leaves it where it is';
const screens = 'xterm.js keeps margins, saved cursor and character set for each of both screens, tmux once';
const known: Readonly<Record<string, readonly [rows: string, why: string]>> = {
  decaln_reset: ['0-29', 'DECALN fills the screen in the colours of now in xterm.js, plain in tmux'],
  deccolm_reset: ['0-27 29 cursor', 'DECCOLM clears the screen in tmux, and does nothing in xterm.js'],
  saved_cursor: ['3-5', screens],
  selective_erasure: ['0-1', `${unknown} (DECSCA, DECSED, DECSEL)`],
  sgr: ['1 7', 'a colour as 38:2:r:g:b: xterm.js takes the first number for a colour space, tmux for red'],
  vttest_origin_mode_1: ['1 23', 'under DECOM the cursor goes to the first row after DECSTBM in tmux, to the top margin in xterm.js'],
  't0006-IND': ['0-23', edge],
  't0008-BS': ['4-8 cursor', edge],
  't0012-VT': ['0-23', edge],
  't0013-FF': ['0-22', edge],
  't0017-SD': ['20', edge],
  't0021-CUB': ['5', edge],
  't0030-HPR': ['0-3 5-15 cursor', `${unknown} (HPR)`],
  't0034-VPR': ['0-23 cursor', `${unknown} (VPR)`],
  't0040-REP': ['5-9 cursor', 'REP goes on in the next row in xterm.js, and ends at the edge in tmux'],
  't0050-ICH': ['0 3-5 7-8 12 20-22', 'ICH of more cells than are left empties the rest of the row in xterm.js, and does nothing in tmux'],
  't0051-IL': ['0-13', column],
  't0052-DL': ['3 7', column],
  't0053-DCH': ['3', edge],
  't0054-ECH': ['3', edge],
  't0055-EL': ['0-2 4-6', edge],
  't0076-DECSTBM_IL_DL': ['0-4 6-8 10-12', 'IL and DL outside of the margins do nothing in xterm.js; in tmux they move all rows below'],
  't0077-DECSTBM_quirks': ['4-5 13-21', 'a bottom margin of 0 is the last row in xterm.js, and no margin at all in tmux'],
  't0079-DECSTBM_VPR': ['0 24', `${unknown} (VPR)`],
  't0080-HT': ['16-17 cursor', edge],
  't0081-TBC': ['20-21 cursor', edge],
  't0082-HTS': ['9-10 cursor', edge],
  't0083-CHT': ['0-3 5-16 18-20', `${unknown} (CHT)`],
  't0084-CBT': ['6-19 cursor', edge],
  't0090-alt_screen': ['20-21', edge],
  't0092-alt_screen_DECSC': ['1 4 9 12 cursor', screens],
  't0100-IRM': ['4 10 cursor', 'under IRM the first character after an automatic wrap replaces one in tmux, and is inserted in xterm.js'],
  't0101-NLM': ['6-7', `${unknown} (LNM)`],
  't0300-vttest1': ['2-19', edge],
  't0504-vim': ['0-24', screens],
  't600-DECSTBM_SR': ['9-14', `${unknown} (SR)`],
  't601-DECSTBM_SL': ['9-14', `${unknown} (SL)`],
  't602-DECSTBM_DECIC': ['9-14', `${unknown} (DECIC)`],
  't603-DECSTBM_DECDC': ['9-14', `${unknown} (DECDC)`],
};

if (!existsSync(corpora)) test('skipped: ../shared/corpora is missing', () => undefined);
else
  test('every recording looks as in tmux when the pane is quiet; until then only those of the table differ', async () => {
    const played = recordings();
    expect(played).toHaveLength(RECORDINGS);
    const player = await openPlayer();
    try {
      const live: Record<string, string> = {};
      const quiet: Record<string, string> = {};
      for (const recording of played) {
        const { name } = recording;
        await player.play(recording);
        const captured = player.captured();
        live[name] = differences(player.mirrored(), captured);
        await player.quiet();
        quiet[name] = differences(player.mirrored(), captured);
      }
      const none = Object.fromEntries(played.map(({ name }) => [name, '']));
      expect(quiet).toEqual(none);
      if (player.version !== 'tmux 3.3a')
        console.warn(`${player.version} reads some bytes in another way than tmux 3.3a: the table is not tried`);
      else expect(live).toEqual({ ...none, ...Object.fromEntries(Object.entries(known).map(([name, [rows]]) => [name, rows])) });
    } finally {
      await player.close();
    }
  });
