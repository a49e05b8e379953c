/** Layouts as drawings: each area is a box of its letter, overlaps show the later one. */

import { type Arrangement, plainArrangement, presets } from '../../lib/view/arrangement.js';
import { type Layout, type LayoutInput, layoutOf } from '../../lib/view/layout.js';
import type { Rect } from '../../lib/view/widget.js';

const base: Omit<LayoutInput, 'size'> = {
  editorRows: 1,
  approvalRows: 0,
  approvalExpanded: false,
  shownPane: 'conversation',
  zoomed: false,
  arrangement: plainArrangement,
};

function drawn(cols: number, rows: number, more: Partial<LayoutInput> = {}): string {
  const layout = layoutOf({ ...base, size: { cols, rows }, ...more });
  const areas: readonly (readonly [string, Rect | null])[] = [
    ['s', layout.status],
    ['t', layout.tabs],
    ['C', layout.panes.conversation],
    ['M', layout.panes.mirror],
    ['T', layout.panes.tasks],
    ['A', layout.approval],
    ['e', layout.editor],
    ['h', layout.hints],
  ];
  const cells = Array.from({ length: rows }, () => Array.from({ length: cols }, () => '.'));
  for (const [letter, rect] of areas) {
    for (let y = rect?.y ?? 0; y < (rect?.y ?? 0) + (rect?.rows ?? 0); y++) {
      for (let x = rect?.x ?? 0; x < (rect?.x ?? 0) + (rect?.cols ?? 0); x++) (cells[y] ?? [])[x] = letter;
    }
  }
  return cells.map((line) => runs(line.join(''))).join('\n');
}

/** `CCCCMM` as `C4 M2`. */
function runs(line: string): string {
  return [...line.matchAll(/(.)\1*/g)].map(([run, letter]) => `${letter}${run.length}`).join(' ');
}

test('wide: conversation on the left, the mirror over the tasks on the right, one border line shared', () => {
  expect(drawn(160, 20)).toBe(
    ['s160', ...Array<string>(12).fill('C88 M72'), ...Array<string>(5).fill('C88 T72'), 'e160', 'h160'].join('\n'),
  );
});

test('medium: the mirror is a strip above the conversation', () => {
  expect(drawn(100, 20)).toBe(['s100', ...Array<string>(6).fill('M100'), ...Array<string>(11).fill('C100'), 'e100', 'h100'].join('\n'));
});

test('medium: with the keyboard in the tasks they take the place of the mirror', () => {
  expect(drawn(100, 20, { shownPane: 'tasks' })).toBe(
    ['s100', ...Array<string>(6).fill('T100'), ...Array<string>(11).fill('C100'), 'e100', 'h100'].join('\n'),
  );
});

test('narrow: tabs, and one pane', () => {
  expect(drawn(60, 12, { shownPane: 'mirror' })).toBe(['s60', 't60', ...Array<string>(8).fill('M60'), 'e60', 'h60'].join('\n'));
});

test('a question stands above the draft and takes at most its share, expanded all there is', () => {
  const rows = (name: string, picture: string) => picture.split('\n').filter((line) => line.startsWith(name)).length;
  expect(rows('A', drawn(100, 30, { approvalRows: 7 }))).toBe(7);
  expect(rows('A', drawn(100, 30, { approvalRows: 200 }))).toBe(16);
  expect(rows('A', drawn(100, 30, { approvalRows: 200, approvalExpanded: true }))).toBe(27);
  expect(rows('C', drawn(100, 30, { approvalRows: 200, approvalExpanded: true }))).toBe(0);
});

test('the draft grows to a third of the rows, and shrinks while something is asked', () => {
  const editor = (more: Partial<LayoutInput>): number => layoutOf({ ...base, size: { cols: 80, rows: 18 }, ...more }).editor.rows;
  expect(editor({ editorRows: 50 })).toBe(6);
  expect(editor({ editorRows: 50, approvalRows: 9 })).toBe(1);
});

test('zoomed: one pane takes everything at any width', () => {
  expect(drawn(160, 12, { zoomed: true, shownPane: 'mirror' })).toBe(['s160', ...Array<string>(9).fill('M160'), 'e160', 'h160'].join('\n'));
});

describe('arranged by a person', () => {
  const arranged = (change: Partial<Arrangement>): Partial<LayoutInput> => ({ arrangement: { ...plainArrangement, ...change } });

  test('wide: another width of the right column, another height of the tasks', () => {
    expect(drawn(160, 20, arranged({ side: 0.25, tasks: 0.5 }))).toBe(
      ['s160', ...Array<string>(8).fill('C120 M40'), ...Array<string>(9).fill('C120 T40'), 'e160', 'h160'].join('\n'),
    );
  });

  test('wide: the tasks put away, the mirror put away, both', () => {
    const middle = (line: string) => ['s160', ...Array<string>(17).fill(line), 'e160', 'h160'].join('\n');
    expect(drawn(160, 20, arranged({ hidden: ['tasks'] }))).toBe(middle('C88 M72'));
    expect(drawn(160, 20, arranged({ hidden: ['mirror'] }))).toBe(middle('C88 T72'));
    expect(drawn(160, 20, arranged({ hidden: ['mirror', 'tasks'] }))).toBe(middle('C160'));
  });

  test('medium: another height of the strip, and none', () => {
    const upper = (rows: number) =>
      ['s100', ...Array<string>(rows).fill('M100'), ...Array<string>(17 - rows).fill('C100'), 'e100', 'h100'].join('\n');
    expect(drawn(100, 20, arranged({ strip: 0.7 }))).toBe(upper(12));
    expect(drawn(100, 20, arranged({ strip: 0.95 }))).toBe(upper(14));
    expect(drawn(100, 20, arranged({ hidden: ['mirror'] }))).toBe(upper(0));
    expect(drawn(100, 20, { ...arranged({ hidden: ['mirror'] }), shownPane: 'tasks' })).toContain('T100');
  });

  test('nobody can make a pane too small to be read', () => {
    expect(drawn(120, 20, arranged({ side: 0.95 }))).toContain('C30 M90');
    expect(drawn(120, 20, arranged({ side: 0.05 }))).toContain('C96 M24');
    expect(drawn(120, 20, arranged({ tasks: 0.95 })).match(/C66 M54/g)).toHaveLength(5);
    expect(drawn(120, 20, arranged({ tasks: 0.05 })).match(/C66 T54/g)).toHaveLength(3);
  });

  test('one pane at a time stays one', () => {
    expect(drawn(60, 12, { ...arranged({ hidden: ['mirror', 'tasks'] }), shownPane: 'mirror' })).toContain('M60');
  });
});

test('every area stays on the screen at every size', () => {
  for (let cols = 1; cols <= 220; cols += 7) {
    for (let rows = 1; rows <= 60; rows += 3) {
      for (const approvalRows of [0, 6, 80]) {
        const arrangement = arrangements[(cols + rows + approvalRows) % arrangements.length] ?? plainArrangement;
        const layout = layoutOf({ ...base, size: { cols, rows }, approvalRows, arrangement });
        if (layout.kind === 'small') continue;
        for (const rect of rects(layout)) {
          const inside =
            rect.x >= 0 && rect.y >= 0 && rect.cols > 0 && rect.rows > 0 && rect.x + rect.cols <= cols && rect.y + rect.rows <= rows;
          expect({ cols, rows, approvalRows, rect, inside }).toEqual({ cols, rows, approvalRows, rect, inside: true });
        }
      }
    }
  }
});

const arrangements: readonly Arrangement[] = [
  plainArrangement,
  { side: 0.05, strip: 0.05, tasks: 0.05, hidden: [] },
  { side: 0.95, strip: 0.95, tasks: 0.95, hidden: [] },
  { side: 0.95, strip: 0.5, tasks: 0.5, hidden: ['tasks'] },
  ...Object.values(presets).map((preset) => preset.arrangement),
];

function rects(layout: Layout): readonly Rect[] {
  const all = [layout.status, layout.tabs, ...Object.values(layout.panes), layout.approval, layout.editor, layout.hints];
  return all.filter((rect) => rect !== null);
}
