import fc from 'fast-check';
import { type Row, rgb, rowText, type Style } from '../../lib/base/style.js';
import { type Visible, visible } from '../../lib/base/visible.js';
import { clusterWidth, graphemes } from '../../lib/base/width.js';
import type { CursorShape } from '../../lib/protocol/panes.js';
import { createPrinter } from '../../lib/tui/blessed.js';
import { certainWidth } from '../../lib/tui/cells.js';
import type { ColorDepth } from '../../lib/tui/color-depth.js';
import { ENTER } from '../../lib/tui/modes.js';
import type { Frame, Rect } from '../../lib/view/widget.js';
import { createHeadlessTerminal } from '../support/headless-terminal.js';

function open(cols: number, rows: number, colorDepth: ColorDepth = 'truecolor', env: Readonly<Record<string, string>> = {}) {
  const terminal = createHeadlessTerminal(cols, rows);
  let bytes = '';
  let entered = false;
  const printer = createPrinter({
    size: { cols, rows },
    colorDepth,
    env,
    write: (text) => {
      bytes += text;
    },
  });
  let size = { cols, rows };
  return {
    terminal,
    printer,
    /** Presents and answers the bytes it took. */
    async present(parts: Frame['parts'], cursor: Frame['cursor'] = null, ground?: Style): Promise<string> {
      if (!entered) await terminal.feed(ENTER);
      entered = true;
      bytes = '';
      printer.present({ size, parts, cursor, ...(ground === undefined ? {} : { ground }) });
      await terminal.feed(bytes);
      return bytes;
    },
    resize(newCols: number, newRows: number) {
      size = { cols: newCols, rows: newRows };
      terminal.resize(newCols, newRows);
      printer.resize(size);
    },
  };
}

function line(text: string, style: Style = {}, fill?: Style): Row {
  return { segments: [{ text: visible(text), style }], ...(fill === undefined ? {} : { fill }) };
}

const at = (x: number, y: number, cols: number, rows: number): Rect => ({ x, y, cols, rows });

describe('the printer', () => {
  test('gives the cursor its shape when that changes, and again when something else may have changed it', async () => {
    const { printer, present } = open(20, 4);
    const parts = [{ rect: at(0, 0, 20, 1), rows: [line('text')] }];
    const shaped = (shape?: CursorShape, x = 1) => present(parts, { x, y: 0, shown: true, ...(shape === undefined ? {} : { shape }) });
    expect(await shaped()).not.toContain(' q');
    expect(await shaped('bar')).toBe('\x1b[6 q\x1b[1;2H');
    expect(await shaped('bar', 2)).toBe('\x1b[1;3H\x1b[?25h');
    expect(await shaped('underline', 2)).toBe('\x1b[4 q\x1b[1;3H');
    expect(await present(parts, null)).toBe('\x1b[?25l');
    expect(await shaped('block')).toContain('\x1b[2 q');
    printer.invalidate();
    expect(await shaped('block')).toContain('\x1b[2 q');
    expect(await shaped()).toContain('\x1b[0 q');
    printer.invalidate();
    expect(await shaped()).not.toContain(' q');
  });

  test('sends it to a terminal whose name only begins as that of a console', async () => {
    const { present } = open(20, 4, 'mono', { TERM: 'contour' });
    expect(await present([], { x: 1, y: 0, shown: true, shape: 'bar' })).toContain('\x1b[6 q');
  });

  test.each(['linux', 'cons25', 'vt100', 'dumb'])('sends no cursor shape to TERM=%s', async (TERM) => {
    const { present } = open(20, 4, 'mono', { TERM });
    expect(await present([], { x: 1, y: 0, shown: true, shape: 'bar' })).not.toContain(' q');
  });

  test('paints rows in their rectangles, cut at the edges, later ones over earlier ones', async () => {
    const { terminal, present } = open(20, 4);
    await present([
      { rect: at(0, 0, 20, 4), rows: [line('abcdefghijklmnopqrstuvwxyz'), line('second'), line('third'), line('fourth')] },
      { rect: at(2, 1, 6, 2), rows: [line('dialog that is long')] },
    ]);
    expect(terminal.lines()).toEqual(['abcdefghijklmnopqrst', 'sedialog', 'th', 'fourth']);
  });

  test('shows every attribute and colour, and fills the rest of a row', async () => {
    const { terminal, present } = open(10, 2);
    const look: Style = { fg: rgb(1, 200, 3), bg: 17, bold: true, dim: true, italic: true, underline: true, inverse: true, strike: true };
    await present([{ rect: at(0, 0, 10, 1), rows: [line('ab', look, { bg: 3 })] }]);
    expect(terminal.cell(1, 0)).toEqual({ text: 'b', width: 1, fg: '#01c803', bg: 17, attributes: 'bdiuvs' });
    expect(terminal.cell(2, 0)).toMatchObject({ bg: 3, attributes: '' });
    expect(terminal.cell(0, 1)).toMatchObject({ bg: null, fg: null });
  });

  test('a ground colours every cell that has no colour of its own, erased ones too, and goes again', async () => {
    const { terminal, present } = open(30, 3);
    const ground: Style = { fg: rgb(1, 2, 3), bg: rgb(200, 210, 220) };
    const rows = [line('a long line of text here'), line('own', { bg: 4 })];
    await present([{ rect: at(0, 0, 30, 3), rows }], null, ground);
    await present([{ rect: at(0, 0, 30, 3), rows: [line('a'), line('own', { bg: 4 })] }], null, ground);
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [29, 0],
      [5, 1],
      [29, 2],
    ] as const)
      expect(terminal.cell(x, y)).toMatchObject({ fg: '#010203', bg: '#c8d2dc' });
    expect(terminal.cell(0, 1)).toMatchObject({ fg: '#010203', bg: 4 });
    await present([{ rect: at(0, 0, 30, 3), rows }]);
    expect(terminal.cell(29, 2)).toMatchObject({ fg: null, bg: null });
  });

  test.each([
    ['truecolor', '#ff6432'],
    ['256', 203],
    ['16', 9],
    ['mono', null],
  ] as const)('a 24-bit colour at depth %s is %s', async (depth, shown) => {
    const { terminal, present } = open(4, 1, depth);
    await present([{ rect: at(0, 0, 4, 1), rows: [line('x', { fg: rgb(255, 100, 50), bold: true })] }]);
    expect(terminal.cell(0, 0)).toMatchObject({ fg: shown, attributes: 'b' });
  });

  test('sends nothing when nothing changed, and only the cell that did', async () => {
    const { present } = open(80, 24);
    const rows = Array.from({ length: 24 }, (_, y) => line(`row ${y} `.repeat(9)));
    expect((await present([{ rect: at(0, 0, 80, 24), rows }])).startsWith('\x1b[?2026h')).toBe(true);
    expect(await present([{ rect: at(0, 0, 80, 24), rows }])).toBe('');
    expect(await present([{ rect: at(0, 0, 80, 24), rows: rows.map((row) => ({ ...row })) }])).toBe('');
    const changed = rows.map((row, y) => (y === 5 ? line(rowText(row).replace('5', '6')) : row));
    expect(await present([{ rect: at(0, 0, 80, 24), rows: changed }])).toBe('\x1b[6;5H6\x1b[?25l');
  });

  test('places and hides the cursor', async () => {
    const { terminal, present } = open(10, 3);
    await present([{ rect: at(0, 0, 10, 3), rows: [line('a')] }], { x: 4, y: 1, shown: true });
    expect(terminal.cursor()).toEqual({ x: 4, y: 1, shown: true });
    expect(await present([{ rect: at(0, 0, 10, 3), rows: [line('b')] }], { x: 4, y: 1, shown: true })).not.toBe('');
    expect(terminal.cursor()).toEqual({ x: 4, y: 1, shown: true });
    await present([], { x: 99, y: 1, shown: true });
    expect(terminal.cursor().shown).toBe(false);
  });

  test.each([
    ['CJK', '日本語'],
    ['emoji', '🚀 done ✅'],
    ['a family', '👨‍👩‍👧 x'],
    ['a flag', '🇩🇪 x'],
    ['a skin tone', '👍🏽 x'],
    ['VS16', '❤️ x'],
    ['ambiguous', '⚠ ✔ ▶ x'],
    ['combining', 'e\u0301a\u0308 x'],
    ['Thai, Hindi, Arabic', 'ที่ นำ हिन्दी العربية'],
  ])('borders stay straight beside %s', async (_name, text) => {
    const { terminal, present } = open(30, 3);
    const content = (words: string) => [
      { rect: at(0, 0, 1, 3), rows: [line('│'), line('│'), line('│')] },
      { rect: at(1, 0, 20, 3), rows: [line('before'), line(words), line('after')] },
      { rect: at(21, 0, 1, 3), rows: [line('│'), line('│'), line('│')] },
    ];
    for (const words of ['plain', text, `x${text}`, text + text + text + text, 'plain again']) {
      await present(content(words));
      for (const y of [0, 1, 2]) for (const x of [0, 21]) expect(terminal.cell(x, y).text).toBe('│');
    }
    expect(terminal.lines()[1]).toBe('│plain again         │');
  });

  test('a wide character at an edge leaves a blank', async () => {
    const { terminal, present } = open(8, 1);
    await present([{ rect: at(0, 0, 3, 1), rows: [line('a日本')] }]);
    expect(terminal.lines()).toEqual(['a日']);
    await present([
      { rect: at(0, 0, 8, 1), rows: [line('日本語中')] },
      { rect: at(1, 0, 4, 1), rows: [line('abcd')] },
    ]);
    expect(terminal.lines()).toEqual([' abcd 中']);
    await present([{ rect: at(-1, 0, 6, 1), rows: [line('日x語')] }]);
    expect(terminal.lines()).toEqual([' x語']);
  });

  test('no control character gets through, even when a segment holds one', async () => {
    const { terminal, present } = open(20, 1);
    const bad = 'a\x1b[2J\x07\x9b1mb\n\tc' as Visible;
    const bytes = await present([{ rect: at(0, 0, 20, 1), rows: [{ segments: [{ text: bad, style: {} }] }] }]);
    expect(bytes.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')).toMatch(/^[^\x00-\x1f\x7f-\x9f]*$/);
    expect(terminal.lines()).toEqual(['a [2J  1mb  c']);
  });

  test('characters of certain width are measured as everywhere else and never join', () => {
    let all = '';
    for (let code = 0x20; code < 0xd800; code += 1) if (certainWidth(code) !== 0) all += String.fromCharCode(code);
    expect(all.length).toBeGreaterThan(30_000);
    expect(graphemes(all)).toHaveLength(all.length);
    expect([...all].filter((character) => clusterWidth(character) !== certainWidth(character.charCodeAt(0)))).toEqual([]);
  });
});

describe('whatever the frames, the terminal shows what was meant', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'word ',
      '│',
      '──',
      ' ',
      '   ',
      '日本',
      'é',
      'ß',
      '한',
      '🚀',
      '✅',
      '⚠',
      '👨‍👩‍👧',
      '❤️',
      'e\u0301',
      '🇩🇪',
      '…',
      'カ',
      '👍🏽',
      '\u0301',
    ],
  );
  const style = fc.constantFrom<Style>({}, { bold: true }, { fg: 1 }, { bg: rgb(1, 2, 3) }, { inverse: true, fg: 200 });
  const segment = fc
    .tuple(fc.array(piece, { maxLength: 8 }), style)
    .map(([parts, look]) => ({ text: visible(parts.join('')), style: look }));
  const row: fc.Arbitrary<Row> = fc.array(segment, { maxLength: 3 }).map((segments) => ({ segments }));
  const part = fc.record({
    rect: fc.record({
      x: fc.integer({ min: -2, max: 26 }),
      y: fc.integer({ min: 0, max: 6 }),
      cols: fc.integer({ min: 1, max: 26 }),
      rows: fc.integer({ min: 1, max: 6 }),
    }),
    rows: fc.array(row, { maxLength: 6 }),
  });
  const step = fc.record({
    parts: fc.array(part, { maxLength: 4 }),
    resize: fc.option(fc.record({ cols: fc.integer({ min: 2, max: 32 }), rows: fc.integer({ min: 1, max: 8 }) }), { freq: 5 }),
  });

  /** What cells should hold, worked out the slow way: a cluster, '' for the second cell of a wide one. */
  function expected(parts: Frame['parts'], cols: number, rows: number): string[][] {
    const screen = Array.from({ length: rows }, () => Array.from({ length: cols }, () => ' '));
    for (const { rect, rows: content } of parts) {
      for (let dy = 0; dy < rect.rows; dy += 1) {
        const cells = screen[rect.y + dy];
        if (cells === undefined) continue;
        const own = (x: number) => x >= Math.max(0, rect.x) && x < Math.min(cols, rect.x + rect.cols);
        for (let x = 0; x < cols; x += 1) {
          if (!own(x)) continue;
          if (cells[x] === '' && !own(x - 1) && x > 0) cells[x - 1] = ' ';
          if (cells[x + 1] === '' && !own(x + 1)) cells[x + 1] = ' ';
          cells[x] = ' ';
        }
        let x = rect.x;
        for (const { text } of content[dy]?.segments ?? []) {
          for (const cluster of graphemes(text)) {
            const width = clusterWidth(cluster);
            if (width > 0 && own(x) && own(x + width - 1)) {
              cells[x] = cluster;
              if (width === 2) cells[x + 1] = '';
            }
            x += width;
          }
        }
      }
    }
    return screen;
  }

  test('also after a resize', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const screen = open(30, 7);
        let size = { cols: 30, rows: 7 };
        for (const { parts, resize } of steps) {
          if (resize !== null) {
            size = resize;
            screen.resize(size.cols, size.rows);
          }
          await screen.present(parts);
          const want = expected(parts, size.cols, size.rows);
          for (let y = 0; y < size.rows; y += 1) {
            for (let x = 0; x < size.cols; x += 1) {
              const cluster = want[y]?.[x] ?? ' ';
              const shown = screen.terminal.cell(x, y).text || ' ';
              // Of a cluster of several code points the terminal shows what it can: one of them, or nothing when it thinks it wider.
              if (cluster === '') continue;
              const simple = [...cluster].length === 1 && certainWidth(cluster.charCodeAt(0)) !== 0;
              if (simple ? shown.normalize('NFD')[0] !== cluster.normalize('NFD')[0] : ![' ', ...cluster].includes([...shown][0] ?? '')) {
                throw new Error(`cell ${x},${y} shows ${JSON.stringify(shown)}, not ${JSON.stringify(cluster)}`);
              }
            }
          }
        }
        screen.terminal.dispose();
      }),
      { numRuns: 60, seed: 20_260_301 },
    );
  });
});
