/**
 * Every widget at three sizes in four themes: its text, and under it a letter for each look. `BUDDY_GOLDEN=write` writes the files anew;
 * look at the difference before it is kept.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { slashCommands } from '../../lib/commands/index.js';
import { loadedCharts } from '../../lib/modes/charts.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { compose } from '../../lib/view/compose.js';
import { keyTestFrame, withHeard } from '../../lib/view/key-test.js';
import { focusOn } from '../../lib/view/keys/global-keys.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { screenLayout } from '../../lib/view/screen.js';
import type { State } from '../../lib/view/state.js';
import { parseTheme, type Theme } from '../../lib/view/theme.js';
import type { Frame, Rect } from '../../lib/view/widget.js';
import { leavingParts } from '../../lib/view/widgets/leaving.js';
import { completionParts, continuationRows, helpParts, toastParts } from '../../lib/view/widgets/overlays.js';
import { pickerParts, prefixParts } from '../../lib/view/widgets/picker.js';
import { taskWindowParts } from '../../lib/view/widgets/task-windows.js';
import { usageParts } from '../../lib/view/widgets/usage.js';
import { chatModel, keyEvent, press, START_MS, startedEvent, stateAfter } from './support/picture.js';
import { StyledBook } from './support/styled.js';

const lex = await loadMarkdown();
const charts = await loadedCharts();
const themeNames = ['terminal', 'dark', 'light', 'mono'] as const;
const themes = themeNames.map((name) => parseTheme(readFileSync(`themes/${name}.json`, 'utf8')));

type Parts = Frame['parts'];
/** What a widget shows of a state in a theme. */
type Look = (state: State, theme: Theme) => Parts;
type Size = readonly [cols: number, rows: number];

const answer =
  '## Disk\n\nIt is **78 %** *full*: `df -h`, [manual](http://x.example).\n\n| a | 日本 |\n|---|--:|\n| x | 1 |\n\n- [x] one\n\n> q\n\n```sh\nls # all\n```\n';
const row = (text: string, style = {}) => ({ segments: [{ text: text as never, style }] });
const screen = {
  cols: 60,
  rows: [row('root@web-01:~# ls'), row('日本語  log', { fg: 4, bold: true }), row('root@web-01:~# ')],
  cursor: { x: 15, y: 2, shown: true },
  modes: freshModes,
};
const ask = (task: string, kind: 'prompt' | 'job', text: string): RuntimeEvent => ({ type: 'task.started', task, kind, text, pane: null });

const session: readonly RuntimeEvent[] = [
  startedEvent(chatModel),
  { type: 'pane.opened', pane: '%1', title: 'shared' },
  { type: 'pane.screen', pane: '%1', screen },
  { type: 'pane.state', pane: '%1', state: { kind: 'running', program: 'apt', sinceMs: START_MS }, lastExit: 3 },
  ask('1', 'prompt', 'why is it full?'),
  { type: 'metrics.context', usedTokens: 168_000, windowTokens: 200_000 },
  { type: 'model.reasoning', task: '1', text: 'The largest folders first.' },
  { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'du -xh /var' },
  { type: 'tool.started', task: '1', call: 'c' },
  { type: 'tool.output', task: '1', call: 'c', text: '14G\t/var/log\n' },
  { type: 'tool.ended', task: '1', call: 'c', isError: false, text: '14G\t/var/log\n', summary: 'exit 1', exitCode: 1, elapsedMs: 1800 },
  { type: 'model.text', task: '1', text: answer },
  ask('2', 'job', 'apt-get -y upgrade'),
  { type: 'task.progress', task: '2', lastLine: 'Unpacking …' },
  ask('3', 'job', 'false'),
  { type: 'task.ended', task: '3', outcome: 'failed', exitCode: 1, error: null },
  { type: 'queue.changed', waiting: [{ id: 'q', text: 'and then?', mode: 'steer' }] },
];
const question: Extract<RuntimeEvent, { type: 'approval.requested' }> = {
  type: 'approval.requested',
  request: {
    id: 'a',
    task: '1',
    call: 'd',
    tool: 'run_shell',
    title: 'run in pane %1',
    body: 'sudo rm -r /var/log/日本 && echo "a\tb" # long enough for two rows of a narrow window\nexit',
    target: 'web-01 (ssh)',
    cwd: '/srv',
    where: { kind: 'ssh', host: 'web-01', user: 'root' },
    claim: { risk: 'medium', mutation: true, privesc: true, why: 'It is 14 GB.' },
    computed: { risk: 'high', mutation: true, privesc: true, network: false, reasons: [] },
  },
};

const rule = {
  subjects: [
    { kind: 'command', words: ['sudo', 'rm'], exact: false },
    { kind: 'command', words: ['sudo', 'rm', '-r', '/var/log/日本'], exact: true },
  ],
  proposed: 1,
  places: [{ target: 'web-01 (ssh)', host: 'web-01', user: 'root', folder: '/srv' }],
} as const;
const ruled: RuntimeEvent = { ...question, request: { ...question.request, rule } };

const at = ([cols, rows]: Size, ...more: readonly RuntimeEvent[]): State =>
  reduce(stateAfter(cols, rows, [...session, ...more], { lex, commands: slashCommands }), { type: 'tick', nowMs: START_MS + 41_000 });
const keys = (state: State, ...names: readonly string[]): State => press(state, START_MS, ...names).state;

/** What lies in a rectangle of the whole picture, cut to it. */
const inRect =
  (rectOf: (state: State) => Rect | null): Look =>
  (state, theme) => {
    const rect = rectOf(state);
    if (rect === null) throw new Error('the widget is not shown');
    const isIn = ({ x, y, cols, rows }: Rect) =>
      x >= rect.x && y >= rect.y && x + cols <= rect.x + rect.cols && y + rows <= rect.y + rect.rows;
    return compose({ ...state, theme }, theme).parts.filter((part) => isIn(part.rect));
  };
const pane = (name: 'conversation' | 'mirror' | 'tasks'): Look => inRect((state) => screenLayout(state).panes[name]);

const usual: readonly Size[] = [
  [160, 24],
  [80, 20],
  [44, 14],
];
/** Where there is room for one pane. */
const narrow: readonly Size[] = [
  [79, 12],
  [60, 12],
  [40, 10],
];

const scenes: readonly (readonly [widget: string, sizes: readonly Size[], state: (size: Size) => State, look: Look])[] = [
  [
    'status',
    usual,
    (size) => at(size, { type: 'approval.policy', policy: { kind: 'until', untilMs: START_MS + 90_000 } }),
    inRect((state) => screenLayout(state).status),
  ],
  ['tabs', narrow, (size) => keys(at(size), 'tab', 'tab'), inRect((state) => screenLayout(state).tabs)],
  [
    'conversation',
    [
      [160, 30],
      [80, 44],
      [44, 30],
    ],
    (size) => keys(at(size), 'tab', 'z'),
    pane('conversation'),
  ],
  ['search', usual, (size) => keys(at(size), 'tab', 'z', '/', 'f', 'u', 'l', 'l'), pane('conversation')],
  ['mirror', narrow, (size) => keys(at(size), 'tab', 'tab'), pane('mirror')],
  ['takeover', narrow, (size) => keys(at(size), 'f6'), pane('mirror')],
  ['tasks', narrow, (size) => keys(at(size), 'S-tab'), pane('tasks')],
  [
    'approval',
    usual,
    (size) => reduce(at(size, question), { type: 'shown', nowMs: START_MS }),
    inRect((state) => screenLayout(state).approval),
  ],
  [
    'rule',
    usual,
    (size) => press(reduce(at(size, ruled), { type: 'shown', nowMs: START_MS }), START_MS + 5000, 'p').state,
    inRect((state) => screenLayout(state).approval),
  ],
  ['usage', usual, (size) => reduce(reduce(at(size), { type: 'usage.open' }), charts), usageParts],
  ['task-windows', usual, (size) => keys(focusOn(at(size), 'tasks'), 'enter'), taskWindowParts],
  ['time-out', usual, (size) => keys(focusOn(at(size), 'tasks'), 't', '9', '0', 's'), taskWindowParts],
  [
    'editor',
    usual,
    (size) => keys(at(size), ...'hé 日本', 'M-enter', ...'two words', 'C-x', 'C-x'),
    inRect((state) => screenLayout(state).editor),
  ],
  ['hints', usual, (size) => at(size), inRect((state) => screenLayout(state).hints)],
  ['completion', usual, (size) => keys(at(size), '/', 'm'), (state, theme) => completionParts(state, screenLayout(state), theme)],
  ['prefix', usual, (size) => keys(at(size), 'C-x'), (state, theme) => prefixParts(screenLayout(state), theme, continuationRows(state))],
  [
    'toasts',
    usual,
    (size) =>
      (['info', 'warning', 'error'] as const).reduce(
        (state, level) => reduce(state, { type: 'toast', level, text: `${level}: something 日本 happened`, nowMs: state.nowMs }),
        at(size),
      ),
    (state, theme) => toastParts(state, screenLayout(state), theme),
  ],
  ['help', usual, (size) => keys(at(size), 'f1'), helpParts],
  ['picker', usual, (size) => keys(at(size), 'C-p', 'c', 'o', 'p'), (state, theme) => pickerParts(state, screenLayout(state), theme)],
  ['leaving', usual, (size) => reduce(at(size), { type: 'leaving' }), leavingParts],
];

/** Says what it finds in the file, or writes it. */
function expectGolden(name: string, text: string): void {
  const file = `__tests__/view/golden/widgets/${name}.txt`;
  if (process.env['BUDDY_GOLDEN'] === 'write') {
    mkdirSync('__tests__/view/golden/widgets', { recursive: true });
    writeFileSync(file, text);
  }
  if (!existsSync(file)) throw new Error(`${file} is missing; BUDDY_GOLDEN=write writes it`);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

test.each(scenes)('%s', (name, sizes, stateOf, look) => {
  const book = new StyledBook(themeNames);
  for (const size of sizes) {
    const state = stateOf(size);
    book.add(
      `${name} ${size.join('×')}`,
      themes.map((theme) => look({ ...state, theme }, theme)),
    );
  }
  expectGolden(name, book.toString());
});

test('the key tester', () => {
  const book = new StyledBook(themeNames);
  const start = {
    bindings: new Map(),
    vi: false,
    terminal: 'TERM=xterm',
    protocol: 'plain',
    notes: ['In tmux:', '  set'],
    heard: [],
    last: '',
    over: false,
  } as const;
  const test = withHeard(withHeard(start, new Uint8Array([0x0f]), [keyEvent('C-o')]), new Uint8Array([0x71]), [keyEvent('q')]);
  for (const [cols, rows] of usual)
    book.add(
      `keys ${cols}×${rows}`,
      themes.map((theme) => keyTestFrame(test, { cols, rows }, theme).parts),
    );
  expectGolden('key-test', book.toString());
});
