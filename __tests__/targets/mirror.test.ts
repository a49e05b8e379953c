/** The picture of a pane: how often it is drawn, and what happens when bytes come faster than they can be parsed. */

import { type Row, rowText } from '../../lib/base/style.js';
import { freshModes, type PaneScreen } from '../../lib/protocol/panes.js';
import { loadEmulator, writeAll } from '../../lib/targets/terminal-emulator.js';
import { PaneMirror } from '../../lib/targets/tmux/mirror.js';
import type { ScreenCopy, ScreenState } from '../../lib/targets/tmux/screen-copy.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';

/** A terminal of four rows that nobody has asked for anything. */
const usual: ScreenState = {
  modes: freshModes,
  alternate: false,
  keypad: false,
  insert: false,
  origin: false,
  wrap: true,
  region: [0, 3],
  unfinished: '',
};

async function mirror(cols = 20, rows = 4) {
  const clock = new FakeClock();
  const screens: PaneScreen[] = [];
  let asked = 0;
  const emulators = await loadEmulator();
  const made = new PaneMirror(
    () => emulators.create(cols, rows, 0),
    clock,
    (screen) => screens.push(screen),
    () => asked++,
  );
  /** Moves the time until the newest picture looks like that. */
  const drawn = (what: string, looks: (screen: PaneScreen) => boolean) =>
    until(what, async () => {
      await clock.advance(40);
      const screen = screens.at(-1);
      return screen !== undefined && looks(screen) ? screen : null;
    });
  const text = () => screens.at(-1)?.rows.map(rowText).join('\n').trimEnd();
  return { clock, screens, made, text, drawn, asked: () => asked };
}

test('the first picture comes at once, then at most one in 33 ms, the last bytes are never left out', async () => {
  const { clock, screens, made, text } = await mirror();
  made.feed(Buffer.from('a'));
  await until('the first picture', () => screens.length === 1);
  for (let at = 0; at < 50; at++) made.feed(Buffer.from(`\r${at}`));
  await clock.advance(32);
  expect(screens).toHaveLength(1);
  await clock.advance(1);
  await until('the second picture', () => screens.length === 2);
  expect(text()).toBe('49');
});

test('nothing is drawn when nothing has changed, and unchanged rows stay the same objects', async () => {
  const { clock, screens, made } = await mirror();
  made.feed(Buffer.from('one\r\ntwo'));
  await until('the first picture', () => screens.length === 1);
  made.feed(Buffer.from('\x1b[0m'));
  made.feed(Buffer.from('\x1b[1m'));
  await clock.advance(40);
  made.feed(Buffer.from('\x1b[0m\b\b\bTWO'));
  await until('the next picture', async () => {
    await clock.advance(40);
    return screens.at(-1)?.rows.map(rowText).includes('TWO');
  });
  expect(screens).toHaveLength(2);
  expect(screens[1]?.rows[0]).toBe(screens[0]?.rows[0]);
});

test('when bytes come too fast they are skipped, and the picture starts again from a copy', async () => {
  const { clock, screens, made, text, asked } = await mirror();
  for (let at = 0; at < 60; at++) made.feed(Buffer.from('x'.repeat(100_000)));
  await until('it asks for a copy', () => asked() === 1);
  made.feed(Buffer.from('skipped'));
  made.restore({ cols: 20, rows: 4, lines: ['copy', '\x1b[31mred\x1b[0m'], cursor: { x: 3, y: 1, shown: false }, state: usual });
  made.feed(Buffer.from('!'));
  await until('it is drawn', async () => {
    await clock.advance(40);
    return text() === 'copy\nred!';
  });
  expect(screens.at(-1)?.cursor).toEqual({ x: 4, y: 1, shown: false });
  expect(screens.at(-1)?.rows[1]?.segments).toEqual([
    { text: 'red', style: { fg: 1 } },
    { text: '!', style: {} },
  ]);
});

test.each(['', '\x1b[1;2r\x1b[4;1H', '\x1b[2;3r', '\x1b[1;2r\x1b[r\x1b[4;1H'])(
  'a flood of lines leaves the right screen after %j',
  async (before) => {
    const { made, text, drawn } = await mirror();
    const flood = Buffer.from(`${before}one\r\nlonger\r\n${'x\r\n'.repeat(100_000)}`);
    for (let at = 0; at < flood.length; at += 50_000) made.feed(flood.subarray(at, at + 50_000));
    made.feed(Buffer.from('\x1b[4;20H'));
    await drawn('all of it', ({ cursor }) => cursor.x === 19);
    const plain = (await loadEmulator()).create(20, 4, 0);
    await writeAll(plain, flood);
    const rows = [0, 1, 2, 3].map((y) => plain.buffer.active.getLine(y)?.translateToString(true));
    expect(text()).toBe(rows.join('\n').trimEnd());
  },
);

test('blinking is dropped, concealed text is shown, what has no picture becomes a sign of its own', async () => {
  const { screens, made } = await mirror(40);
  made.feed(Buffer.from('\x1b[5mblink\x1b[0m\x1b[8mhid\x1b[0m\u202eX\u2800\x1b[38;2;1;2;3mrgb\x1b[0m'));
  await until('it is drawn', () => screens.length === 1);
  expect(screens[0]?.rows[0]?.segments).toEqual([
    { text: 'blinkhidX\ufffd', style: {} },
    { text: 'rgb', style: { fg: 0x1010203 } },
  ]);
});

test('words in the colour of their ground are shown in other colours, pictures are left alone', async () => {
  const { screens, made } = await mirror(40);
  made.feed(Buffer.from('\x1b[30;40mhidden\x1b[0m \x1b[1;38;2;9;9;9;48;2;9;9;9mtoo\x1b[0m \x1b[31;41m▄▀\x1b[0m'));
  await until('it is drawn', () => screens.length === 1);
  expect(screens[0]?.rows[0]?.segments).toEqual([
    { text: 'hidden', style: {} },
    { text: ' ', style: {} },
    { text: 'too', style: { bold: true } },
    { text: ' ', style: {} },
    { text: '▄▀', style: { fg: 1, bg: 1 } },
  ]);
});

test.each([
  ['\x1b[6 q', 'bar'],
  ['\x1b[3 q', 'underline'],
  ['\x1b[2 q', 'block'],
  ['\x1b[5 q\x1b[0 q', undefined],
  ['\x1b[5 q\x1b[ q', undefined],
  ['\x1b[5 q\x1b[99 q', undefined],
  ['\x1b[5 q\x1bc', undefined],
])('the cursor has the shape that %j gives it, and keeps it over a check', async (bytes, shape) => {
  const { made, drawn } = await mirror();
  made.feed(Buffer.from(`${bytes}x`));
  const { cursor } = await drawn('the x', (screen) => screen.cursor.x === 1);
  expect(cursor).toEqual({ x: 1, y: 0, shown: true, ...(shape === undefined ? {} : { shape }) });
  made.restore({ cols: 20, rows: 4, lines: ['xy'], cursor: { x: 2, y: 0, shown: true }, state: usual });
  expect((await drawn('the copy', (screen) => screen.cursor.x === 2)).cursor.shape).toBe(shape);
});

test('after dispose nothing is drawn', async () => {
  const { clock, screens, made } = await mirror();
  made.feed(Buffer.from('a'));
  made.dispose();
  made.feed(Buffer.from('b'));
  await clock.advance(100);
  expect(screens).toEqual([]);
});

describe('a copy of the screen', () => {
  const copyOf = (lines: readonly string[], x: number, y: number, state: Partial<ScreenState> = {}): ScreenCopy => ({
    cols: 20,
    rows: 4,
    lines,
    cursor: { x, y, shown: true },
    state: { ...usual, ...state },
  });

  test('is asked for when the pane gets quiet, and now and then while it does not', async () => {
    const { clock, made, asked } = await mirror();
    made.feed(Buffer.from('a'));
    await clock.advance(249);
    expect(asked()).toBe(0);
    made.feed(Buffer.from('b'));
    await clock.advance(249);
    expect(asked()).toBe(0);
    await clock.advance(1);
    expect(asked()).toBe(1);
    await clock.advance(10_000);
    expect(asked()).toBe(1);
    for (let at = 0; at < 41; at++) {
      made.feed(Buffer.from('c'));
      await clock.advance(100);
    }
    expect(asked()).toBe(3);
  });

  test('changes nothing when the picture is right: what is not told of goes on', async () => {
    const { made, drawn, screens } = await mirror();
    // The colour, the line drawing set and the saved cursor; half of the bytes still wait to be parsed when the copy comes.
    made.feed(Buffer.from('\x1b7\x1b[31mred'));
    await drawn('red', (screen) => rowText(screen.rows[0] as Row) === 'red');
    made.feed(Buffer.from('\x1b[32m\x1b(0'));
    made.restore(copyOf(['\x1b[31mred'], 3, 0));
    made.feed(Buffer.from('qq\x1b(B\x1b8R'));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[0] as Row) === 'Red──');
    expect(rows[0]?.segments).toEqual([
      { text: 'R', style: {} },
      { text: 'ed', style: { fg: 1 } },
      { text: '──', style: { fg: 2 } },
    ]);
    expect(screens).toHaveLength(2);
  });

  test('repairs a picture that is wrong, and the colour stays', async () => {
    const { made, drawn } = await mirror();
    made.feed(Buffer.from('\x1b[31mwrong\x1b[2;4r'));
    made.restore(copyOf(['\x1b[31mright'], 5, 0, { region: [1, 2], modes: { ...freshModes, applicationCursor: true } }));
    made.feed(Buffer.from('!\x1b[3;1Hlast\r\n\x1b[4;1Hbelow'));
    const { rows, modes } = await drawn('what follows', (screen) => rowText(screen.rows[3] as Row) === 'below');
    expect(rows.map(rowText)).toEqual(['right!', 'last', '', 'below']);
    expect(rows[0]?.segments).toEqual([{ text: 'right!', style: { fg: 1 } }]);
    expect(modes.applicationCursor).toBe(true);
  });

  test('tells a look once for several rows, and line drawing as shift-out', async () => {
    const { made, drawn } = await mirror();
    made.restore(copyOf(['\x1b[31mone', 'two\x1b[0;32m\x0eqx', 'q\x0f\x1b[0m three'], 0, 3));
    made.feed(Buffer.from('after'));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[3] as Row) === 'after');
    expect(rows.map((row) => row.segments)).toEqual([
      [{ text: 'one', style: { fg: 1 } }],
      [
        { text: 'two', style: { fg: 1 } },
        { text: '─│', style: { fg: 2 } },
      ],
      [
        { text: '─', style: { fg: 2 } },
        { text: ' three', style: {} },
      ],
      [{ text: 'after', style: {} }],
    ]);
  });

  test.each(['\x1b', '\x1b[3', '\x1b]0;tit', '\x1bP+q'])('comes in the middle of a sequence: %j', async (begun) => {
    const rest = { '\x1b': '[31m', '\x1b[3': '1m', '\x1b]0;tit': 'le\x07\x1b[31m', '\x1bP+q': '544e\x1b\\\x1b[31m' }[begun] ?? '';
    const { made, drawn } = await mirror();
    made.feed(Buffer.from(`wrong${begun}`));
    made.restore(copyOf(['right'], 5, 0, { unfinished: begun }));
    made.feed(Buffer.from(`${rest}red`));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[0] as Row).endsWith('red'));
    expect(rows[0]?.segments).toEqual([
      { text: 'right', style: {} },
      { text: 'red', style: { fg: 1 } },
    ]);
  });

  test('in the middle of a character, and at the end of a full row', async () => {
    const { made, drawn } = await mirror();
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    made.feed(Buffer.concat([Buffer.from('wrong'), first]));
    made.restore(copyOf([`${'r'.repeat(19)}\x1b[7mt`], 20, 0));
    made.feed(Buffer.concat([second, Buffer.from('!')]));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[1] as Row) === 'é!');
    expect(rows[0]?.segments.at(-1)).toEqual({ text: 't', style: { inverse: true } });
  });

  test('after a loss nothing is left of how text looked', async () => {
    const { made, drawn } = await mirror();
    made.feed(Buffer.from('\x1b[31mred\x1b(0'));
    made.gap();
    made.restore(copyOf(['\x1b[31mred'], 3, 0, { alternate: true }));
    made.feed(Buffer.from(' q\x1b[?47l'));
    made.restore(copyOf(['back'], 4, 0));
    made.feed(Buffer.from('\x1b[2;1Hq'));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[1] as Row) === 'q');
    expect(rows[0]?.segments).toEqual([{ text: 'back', style: {} }]);
  });

  test('a newer one counts when two come at once', async () => {
    const { made, drawn } = await mirror();
    made.feed(Buffer.from('a'));
    made.restore(copyOf(['one'], 3, 0));
    made.feed(Buffer.from('b'));
    made.restore(copyOf(['two'], 3, 0));
    made.feed(Buffer.from('c'));
    await drawn('the newer', (screen) => rowText(screen.rows[0] as Row) === 'twoc');
  });

  test('comes right behind bytes that are still to be drawn', async () => {
    const { made, drawn } = await mirror();
    made.feed(Buffer.from('a'));
    made.feed(Buffer.from('b'));
    made.restore(copyOf(['ab'], 2, 0));
    await drawn('all of it', (screen) => rowText(screen.rows[0] as Row) === 'ab');
  });

  test('leaves the ground of erased cells alone, of which tmux tells nothing', async () => {
    const { made, drawn } = await mirror();
    made.feed(Buffer.from('\x1b[44mone\x1b[K\x1b[2;1Htwo\x1b[K\x1b[3;1Hthree four\x1b[K\x1b[0m'));
    made.restore(copyOf(['\x1b[44mone', 'TWO', 'three'], 0, 3));
    made.feed(Buffer.from('after'));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[3] as Row) === 'after');
    const ground = { bg: 4 };
    expect(rows.slice(0, 3).map((row) => row.segments)).toEqual([
      [{ text: 'one'.padEnd(20), style: ground }],
      [{ text: 'TWO'.padEnd(20), style: ground }],
      [{ text: 'three', style: ground }],
    ]);
  });

  test('may have lost the end of a long emoji: the mirror need not', async () => {
    const { made, drawn } = await mirror();
    const [family, cut] = ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍'];
    made.feed(Buffer.from(`${family} 🏳️‍🌈\r\n${family}`));
    made.restore(copyOf([`${cut} 🏳️‍🌈`, `${cut}!`], 3, 1));
    made.feed(Buffer.from('?'));
    const { rows } = await drawn('what follows', (screen) => rowText(screen.rows[1] as Row).endsWith('?'));
    expect(rows.slice(0, 2).map(rowText)).toEqual([`${family} 🏳️‍🌈`, '👨‍👩‍👧!?']);
  });

  test('of a new terminal begins anew', async () => {
    const { made, drawn } = await mirror();
    made.feed(Buffer.from('\x1b[31;44mold\x1b[?1h\x1b[?1006h\x1b[?25l'));
    made.restore({ cols: 20, rows: 4, lines: [], cursor: { x: 0, y: 0, shown: true } });
    made.feed(Buffer.from('new'));
    const screen = await drawn('the new one', ({ rows }) => rowText(rows[0] as Row) === 'new');
    expect(screen).toMatchObject({ cursor: { x: 3, y: 0, shown: true }, modes: freshModes });
    expect(screen.rows[0]?.segments).toEqual([{ text: 'new', style: {} }]);
  });
});
