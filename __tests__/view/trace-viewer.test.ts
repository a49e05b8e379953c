/** The viewer of traces: its keys, its filter, how it follows, and its picture in windows of every size. */

import { detailOf, entryOf } from '../../lib/view/trace-entry.js';
import {
  heard,
  lineAt,
  shownCount,
  startViewer,
  type Viewer,
  type ViewerRoom,
  viewerRows,
  withAnotherFile,
  withLines,
} from '../../lib/view/trace-viewer.js';
import { detailRows, viewerFrame, viewerLayout, viewerRoom } from '../../lib/view/trace-viewer-frame.js';
import { tracedLines } from '../modes/support/trace-lines.js';
import { picture, theme } from './support/picture.js';

const room: ViewerRoom = { list: 10, detail: 8, detailRows: 30 };
const press = (viewer: Viewer, ...keys: readonly string[]) =>
  keys.reduce((now, key) => heard(now, { type: 'key', key, text: key.length === 1 ? key : '' }, room), viewer);
const of = (count: number, stream = false) => withLines(startViewer(stream), count, null, room);

test('lines, pages, both ends', () => {
  expect(press(of(50), 'j', 'j', 'down', 'k')).toMatchObject({ chosen: 2, top: 0 });
  expect(press(of(50), 'k')).toMatchObject({ chosen: 0 });
  expect(press(of(50), 'f')).toMatchObject({ chosen: 9, top: 0 });
  expect(press(of(50), 'f', 'pagedown')).toMatchObject({ chosen: 18, top: 9 });
  expect(press(of(50), 'G')).toMatchObject({ chosen: 49, top: 40 });
  expect(press(of(50), 'end', 'b')).toMatchObject({ chosen: 40, top: 40 });
  expect(press(of(50), 'G', 'home')).toMatchObject({ chosen: 0, top: 0 });
  expect(press(of(0), 'G', 'j', 'f', 'd')).toMatchObject({ chosen: 0, top: 0 });
});

test('the detail is scrolled by halves, and begins anew with another line', () => {
  expect(press(of(5), 'd', 'right').detailTop).toBe(8);
  expect(press(of(5), ...Array.from({ length: 20 }, () => 'd')).detailTop).toBe(22);
  expect(press(of(5), 'd', 'd', 'u', 'left', 'left').detailTop).toBe(0);
  expect(press(of(5), 'd', 'j').detailTop).toBe(0);
});

test('a stream is followed until something is looked at, and again after Esc', () => {
  const following = of(20, true);
  expect(following).toMatchObject({ chosen: 19, following: true });
  const read = press(following, 'k');
  expect(withLines(read, 30, null, room)).toMatchObject({ chosen: 18, following: false });
  const again = press(read, 'escape');
  expect(withLines(again, 30, null, room)).toMatchObject({ chosen: 29, top: 20, following: true });
  expect(press(of(20), 'escape')).toMatchObject({ chosen: 19, following: false });
});

test('a filter is typed, taken, and taken away', () => {
  const typing = press(of(50), 'j', '/', 't', 'o', 'q', 'backspace', 'o');
  expect(typing).toMatchObject({ typing: 'too', filter: '', chosen: 1 });
  expect(press(typing, 'escape')).toMatchObject({ typing: null, filter: '' });
  const filtered = withLines(press(typing, 'enter'), 50, [4, 7, 30], room);
  expect(filtered).toMatchObject({ filter: 'too', chosen: 0, typing: null });
  expect(shownCount(filtered)).toBe(3);
  expect(lineAt(press(filtered, 'G'), 2)).toBe(30);
  expect(press(filtered, '/', 'C-u', 'enter')).toMatchObject({ filter: '', matches: null });
  expect(heard(typing, { type: 'paste', text: 'l\nx', complete: true }, room).typing).toBe('tool');
  expect(withAnotherFile(filtered)).toMatchObject({ count: 0, filter: 'too', matches: [] });
});

test('q and Ctrl+C leave, also from help', () => {
  expect(press(of(1), 'q').over).toBe(true);
  expect(press(of(1), '?', 'q')).toMatchObject({ over: false, help: false });
  expect(press(of(1), '?', 'C-c').over).toBe(true);
  const keys = viewerRows.flatMap((row) => row.keys as readonly string[]);
  expect(new Set(keys).size).toBe(keys.length);
});

/** The picture of a file of these lines. */
function shown(lines: readonly string[], cols: number, rows: number, ...keys: readonly string[]): readonly string[] {
  const size = { cols, rows };
  const layout = viewerLayout(size);
  let viewer = withLines(startViewer(false), lines.length, null, viewerRoom(layout, 1000));
  for (const key of keys) viewer = heard(viewer, { type: 'key', key, text: key.length === 1 ? key : '' }, viewerRoom(layout, 1000));
  const detail = detailRows(detailOf(lines[viewer.chosen] ?? ''), layout, theme);
  const content = { name: 't.jsonl', entry: (at: number) => entryOf(lines[at] ?? '', true), detail, reading: false };
  return picture(viewerFrame(viewer, content, size, theme));
}

test('the list and the detail beside each other', () => {
  expect(shown(tracedLines, 100, 14, 'f', 'f').join('\n')).toMatchInlineSnapshot(`
"┌─ t.jsonl ─────────────────────────────────┐┌─ line 20 · 1–11 of 13 ──────────────────────────────┐
│   4.7 s  tool.ended  exit 0               ││kind: event                                          │
│   4.7 s  model.requested  1               ││seq: 19                                              │
│   5.9 s  model.answered  It is **80 %** f…││tsMs: 1700000009000                                  │
│   6.0 s  task.ended  completed            ││event:                                               │
│   7.0 s  context.compacted                ││  type: task.ended                                   │
│   8.0 s  task.started  and ␛[31mred?      ││  task: 2                                            │
│   8.0 s  model.requested  2               ││  outcome: failed                                    │
│   8.5 s  tool.requested  /etc/hosts       ││  exitCode: null                                     │
│   8.6 s  tool.ended  failed               ││  error:                                             │
│   8.7 s  model.retrying  the server is bu…││    code: model.down                                 │
│   9.0 s  task.ended  failed               ││    message: it is gone                              │
└─ 20 of 20 ────────────────────────────────┘└─────────────────────────────────────────────────────┘
 j down · k up · d detail · / filter · ? keys · q leave"
`);
});

test('below each other, and the list alone, and hardly anything', () => {
  expect(shown([...tracedLines, '{bad \x1b[2J'], 44, 14, 'G').join('\n')).toMatchInlineSnapshot(`
"┌─ t.jsonl ────────────────────────────────┐
│   8.6 s  tool.ended  failed              │
│   8.7 s  model.retrying  the server is b…│
│   9.0 s  task.ended  failed              │
│          no line of a trace  {bad ␛[2J   │
└─ 21 of 21 ───────────────────────────────┘
┌─ line 21 ────────────────────────────────┐
│This is no line of a trace:               │
│                                          │
│{bad ␛[2J                                 │
│                                          │
│                                          │
└──────────────────────────────────────────┘
 j down · k up · d detail · / filter · ? k…"
`);
  expect(shown(tracedLines, 40, 5, 'G').join('\n')).toMatchInlineSnapshot(`
"   8.5 s  tool.requested  /etc/hosts
   8.6 s  tool.ended  failed
   8.7 s  model.retrying  the server is…
   9.0 s  task.ended  failed
 j down · k up · d detail · / filter ·…"
`);
  for (const [cols, rows] of [
    [1, 1],
    [3, 2],
    [19, 30],
    [20, 8],
    [200, 7],
  ] as const) {
    for (const key of ['G', '?', '/']) expect(shown(tracedLines, cols, rows, key)).toHaveLength(rows);
  }
});

test('whatever is in a line is told without anything hidden', () => {
  const line = {
    kind: 'event',
    seq: 1,
    tsMs: 1,
    event: { type: 'x', 'a\x1b': 'b\x07\nc', list: [1, { d: [], e: {} }, null, 'f'], rows: [{ segments: [{ text: '$ ls\x1b' }] }] },
  };
  expect(detailOf(JSON.stringify(line))).toEqual([
    'kind: event',
    'seq: 1',
    'tsMs: 1',
    'event:',
    '  type: x',
    '  a␛:',
    '    b␇',
    '    c',
    '  list:',
    '    - 1',
    '    - d: []',
    '      e: {}',
    '    - null',
    '    - f',
    '  rows:',
    '    │$ ls␛',
  ]);
  expect(detailOf('{bad\x1b')).toEqual(['This is no line of a trace:', '', '{bad␛']);
  expect(entryOf('{"kind":"event","seq":4,"tsMs":1,"event":{"type":"pane.screen","pa', false)).toMatchObject({
    kind: 'event',
    name: 'pane.screen',
  });
  expect(entryOf('[1]', true).kind).toBe('bad');
});
