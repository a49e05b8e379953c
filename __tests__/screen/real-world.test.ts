/**
 * The cases A to D, M and N of the reference list of real-world failures (the starred ones marked *), and where each is tried:
 *
 * | case | where                                                                                                             |
 * | ---- | ----------------------------------------------------------------------------------------------------------------- |
 * | A1*  | conversation.test.ts; printer.test.ts: borders stay straight                                                        |
 * | A2   | here; found-by-fuzz.test.ts; fuzz/: the cells of a terminal after each frame                                        |
 * | A3   | targets/cell-widths.test.ts, targets/mirror.test.ts; e2e/unicode.test.ts                                            |
 * | A4*  | here; view/editor/editor.test.ts: whatever is pressed                                                               |
 * | A6   | here; fuzz/: the cursor is in the editor                                                                            |
 * | A9   | tui/input-decoder.test.ts: cut in two at every byte                                                                 |
 * | B1*  | here (into a list); editor.test.ts; e2e/draft.test.ts and e2e/large.test.ts: a megabyte                              |
 * | B2   | editor.test.ts                                                                                                      |
 * | B3*  | here; tui/input-decoder.test.ts: a paste whose end mark is lost                                                      |
 * | B6   | here; editor.test.ts                                                                                                |
 * | B7   | editor.test.ts                                                                                                      |
 * | B9   | here                                                                                                                |
 * | B10  | editor.test.ts                                                                                                      |
 * | B11  | here; e2e/keys.test.ts; man page: keys inside of tmux                                                                |
 * | B12  | here; tui/input-decoder.test.ts: keypad                                                                              |
 * | B14  | editor.test.ts                                                                                                      |
 * | B15  | e2e/takeover.test.ts: nothing that was typed is written down                                                         |
 * | C1*  | conversation.test.ts, mirror.test.ts, mouse.test.ts; view/reading.test.ts; fuzz/: nothing but the person moves it   |
 * | C2   | here                                                                                                                |
 * | C3   | here; fuzz/: only what frames are made of is sent                                                                   |
 * | C4   | e2e/keep.test.ts, view/leaving.test.ts                                                                              |
 * | C7   | conversation.test.ts; `npm run bench`                                                                               |
 * | C9   | here, the repainting; base/process.test.ts: no child has our terminal                                                |
 * | C10  | here; tui/glyphs.test.ts: what stands for what, and when                                                             |
 * | D1*  | tui/lifecycle.test.ts, e2e/terminal-restored.test.ts, e2e/keys.test.ts                                              |
 * | D2   | e2e/terminal-restored.test.ts: the flags of a real tmux before and after                                            |
 * | D3*  | e2e/terminal-restored.test.ts: Ctrl+Z; tui/lifecycle.test.ts: suspended and continued                               |
 * | D4   | tui/lifecycle.test.ts: where nothing can continue it, it stays                                                      |
 * | D5*  | tui/lifecycle.test.ts: when the terminal is closed; e2e/terminal-restored.test.ts: a closed terminal                |
 * | D7   | targets/left-screen.test.ts: mouse and screen of a program that was killed, in each shell                            |
 * | D8   | e2e/terminal-restored.test.ts: what $EDITOR finds; e2e/draft.test.ts: what it gives back                              |
 * | M1   | here; e2e/terms.test.ts: a real tmux with each TERM; e2e/plain.test.ts: TERM=dumb is plain by itself                 |
 * | M3   | here                                                                                                                |
 * | M4   | e2e/plain.test.ts                                                                                                   |
 * | M6   | modes/clipboard.test.ts: what no terminal takes becomes a file                                                      |
 * | M7   | here: a line with wide letters is redrawn behind them                                                               |
 * | N1*  | conversation.test.ts; view/untrusted.test.ts: every place; e2e/untrusted-bytes.test.ts; fuzz/                        |
 * | N2   | mirror.test.ts; e2e/untrusted-bytes.test.ts; modes/clipboard.test.ts                                                |
 * | N3   | as N1                                                                                                               |
 */

import { Buffer } from 'node:buffer';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { colorDepthOf } from '../../lib/tui/color-depth.js';
import { glyphSetOf } from '../../lib/tui/glyphs.js';
import { decode, expire, freshDecoder } from '../../lib/tui/input-decoder.js';
import { RESET } from '../../lib/tui/modes.js';
import { handleInput } from '../../lib/view/app.js';
import { compose, createComposer } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';
import { createSurface } from './fuzz/dashboard-under-test.js';
import { createCellCheck } from './fuzz/invariants.js';

const lex = await loadMarkdown();
const begun = (cols: number, rows: number, ...events: readonly RuntimeEvent[]): State =>
  stateAfter(cols, rows, [startedEvent(), { type: 'task.started', task: '1', kind: 'prompt', text: 'go', pane: null }, ...events], { lex });
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });
const keys = (state: State, ...names: readonly string[]): State => press(state, START_MS, ...names).state;
const draft = (state: State): readonly string[] => state.editor.text.lines;

/** What bytes of a terminal make of a state, and what they want done; all of them have come. */
function typed(state: State, bytes: string) {
  const decoded = decode(freshDecoder, Buffer.from(bytes));
  const events = [...decoded.events, ...expire(decoded.state).events];
  let now = state;
  const effects = events.flatMap((event) => {
    const step = handleInput(now, event, START_MS);
    now = step.state;
    return step.effects;
  });
  return { state: now, effects };
}

test('A4*: each character that a person sees is one step and one erase, however many code points it has', () => {
  const letters = ['👩‍👩‍👧‍👧', '🇯🇵', 'e\u0301', '⚠️', '👍🏽'];
  let state = typed(begun(80, 24), letters.join('')).state;
  expect(draft(state)).toEqual([letters.join('')]);
  const whole = keys(state, 'left', 'left', 'left');
  expect(draft(keys(whole, 'backspace'))).toEqual([letters.toSpliced(1, 1).join('')]);
  for (let left = letters.length - 1; left >= 0; left--) {
    state = keys(state, 'backspace');
    expect(draft(state)).toEqual([letters.slice(0, left).join('')]);
  }
});

test('A2 A6 M7: wide letters come and go without residue, and the real cursor stands at the caret', () => {
  const surface = createSurface({ cols: 60, rows: 16 }, '256');
  const check = createCellCheck(surface.terminal);
  const draw = createComposer();
  let state = begun(60, 16);
  for (const key of ['漢', '字', '漢', '字', 'left', 'left', 'x', 'backspace', 'C-k', 'C-a', 'a', 'C-k', 'b', '🚀', 'home', '⚠️']) {
    state = keys(state, key);
    const frame = draw(state);
    check.check(frame, surface.paint(frame), true);
    expect(surface.terminal.cursor()).toMatchObject({ ...frame.cursor, shown: true });
  }
  expect(surface.terminal.text()).toMatch(/> ⚠️ ?ab🚀/);
  surface.terminal.dispose();
});

test('B3*: a paste whose end never comes is text, and the keyboard lives', () => {
  const lost = typed(begun(80, 24), '\x1b[200~abc');
  expect(lost.effects).toEqual([]);
  expect(draft(typed(lost.state, 'd').state)).toEqual(['abcd']);
});

test('B6: marks inside of a paste neither end it nor send it', () => {
  const { state, effects } = typed(begun(80, 24), '\x1b[200~ls\x1b[200~\rrm -rf x\r\x1b[201~');
  expect(effects).toEqual([]);
  expect(draft(state).join('\n')).toContain('rm -rf x');
});

test('B9: a pasted path is a message, not a command', () => {
  const pasted = typed(stateAfter(80, 24, [startedEvent()], { lex }), '\x1b[200~/etc/hosts is broken\x1b[201~');
  const { effects } = typed(pasted.state, '\r');
  expect(effects).toContainEqual({ type: 'send', command: { type: 'prompt.submit', text: '/etc/hosts is broken' } });
});

test.each([
  ['Alt+Enter', '\x1b\r'],
  ['Ctrl+J', '\n'],
  ['Shift+Enter of modifyOtherKeys', '\x1b[27;2;13~'],
  ['Shift+Enter of kitty', '\x1b[13;2u'],
])('B11: %s begins a new line', (_name, bytes) => {
  expect(draft(typed(begun(80, 24), `a${bytes}b`).state)).toEqual(['a', 'b']);
});

test('B12: Enter and digits of a keypad in application mode', () => {
  const { effects, state } = typed(stateAfter(80, 24, [startedEvent()]), '\x1bOq\x1bOr\x1bOM');
  expect(effects).toContainEqual({ type: 'send', command: { type: 'prompt.submit', text: '12' } });
  expect(draft(state)).toEqual(['']);
});

test('C2: sizes that change all the time while an answer streams end in the picture of a fresh start', () => {
  const sizes = [
    { cols: 40, rows: 10 },
    { cols: 200, rows: 60 },
    { cols: 1, rows: 1 },
    { cols: 119, rows: 37 },
  ];
  const surface = createSurface(sizes[0] ?? { cols: 1, rows: 1 }, 'truecolor');
  const check = createCellCheck(surface.terminal);
  const draw = createComposer();
  let state = begun(40, 10);
  for (let i = 0; i < 120; i++) {
    const size = sizes[i % sizes.length] ?? state.size;
    state = following(reduce(state, { type: 'resized', size }), says(`word **${i}** 漢字 \n\n| a | b |\n|--|--|\n| ${i} | x |\n\n`));
    surface.resize(size);
    const frame = draw(state);
    check.check(frame, surface.paint(frame), true);
  }
  const fresh = stateAfter(119, 37, [], { lex });
  expect(seen(state)).toBe(seen({ ...state, layouts: fresh.layouts }));
  surface.terminal.dispose();
});

test('C3: nothing that is ever sent erases the scrollback of the terminal', () => {
  const surface = createSurface({ cols: 80, rows: 24 }, '256');
  const draw = createComposer();
  let state = begun(80, 24, says('line\n\n'.repeat(200)));
  let sent = surface.paint(draw(state)) + RESET;
  for (const key of ['pageup', 'f1', 'escape', 'tab', 'z', 'C-l', 'C-p', 'escape']) {
    state = keys(state, key);
    surface.printer.invalidate();
    sent += surface.paint(draw(state));
  }
  expect(sent).toContain('\x1b[2J');
  expect(sent).not.toContain('\x1b[3J');
  surface.terminal.dispose();
});

test('C9: what something else wrote on the terminal is gone after Ctrl+L', () => {
  const surface = createSurface({ cols: 60, rows: 16 }, '256');
  const check = createCellCheck(surface.terminal);
  const state = begun(60, 16);
  const frame = compose(state, state.theme);
  surface.paint(frame);
  surface.terminal.feedNow('\x1b[5;5HWall message\x07');
  expect(surface.terminal.line(4)).toContain('Wall message');
  expect(press(state, START_MS, 'C-l').effects).toEqual([{ type: 'repaint' }]);
  surface.printer.invalidate();
  check.check(frame, surface.paint(frame), true);
  expect(surface.terminal.line(4)).not.toContain('Wall message');
  surface.terminal.dispose();
});

test('C10: without a UTF-8 locale every byte is ASCII, the borders are straight and stand where they stood', () => {
  const env = { TERM: 'tmux-256color', TMUX: '/tmp/t,1,0', LANG: 'C' };
  const plain = createSurface({ cols: 130, rows: 30 }, '256', glyphSetOf(env));
  const full = createSurface({ cols: 130, rows: 30 }, '256');
  const state = begun(130, 30, says('# Größe 漢字\n\n- [x] done → 🚀\n\n| a | b |\n|---|---|\n| 1 | … |\n'));
  for (const now of [state, keys(state, 'C-p'), keys(state, 'f1'), keys(keys(state, 'escape'), 'g', 'r', 'ö', 'ß', 'e')]) {
    const frame = compose(now, now.theme);
    expect(plain.paint(frame)).toMatch(/^[\x1b\x20-\x7e]+$/);
    full.paint(frame);
    for (let y = 0; y < 30; y++) {
      const bordered = full.terminal
        .line(y)
        .replace(/\p{Emoji_Presentation}|[漢字]/gu, '??')
        .replace(/[┌┐└┘├┤┬┴┼]/g, '+')
        .replace(/─/g, '-')
        .replace(/│/g, '|');
      const ascii = plain.terminal.line(y);
      for (const [x, character] of Array.from(bordered).entries())
        if ('+-|'.includes(character)) expect([y, x, ascii[x]]).toEqual([y, x, character]);
    }
  }
  plain.terminal.dispose();
  full.terminal.dispose();
});

test.each([
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'vt100' }, false],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, false],
  [{ TERM: 'unknown' }, true],
  [{}, true],
  [{ TERM: 'linux', COLORTERM: '' }, true],
])('M1: %j is sent colours: %s', (env, colours) => {
  const surface = createSurface({ cols: 80, rows: 24 }, colorDepthOf(env));
  const frame = compose(begun(80, 24, says('# h\n\n`code`')), begun(80, 24).theme);
  expect(/\x1b\[[0-9;]*;(?:3[0-8]|4[0-8]|9[0-7])[;m]/.test(surface.paint(frame))).toBe(colours);
  surface.terminal.dispose();
});

test('M3: without an answer about its colours the terminal keeps its own', () => {
  const surface = createSurface({ cols: 80, rows: 24 }, '16');
  const state = begun(80, 24);
  expect(state.theme.ground).toBeNull();
  surface.paint(compose(state, state.theme));
  expect(surface.terminal.cell(40, 10)).toMatchObject({ fg: null, bg: null });
  surface.terminal.dispose();
});

const monsters: readonly (readonly [string, string])[] = [
  ['50 kB of combining marks', `e${'\u0301'.repeat(25_000)}`],
  ['a line of 1 MB', 'x'.repeat(1_000_000)],
  ['a line of 1 MB of wide letters', '漢'.repeat(333_333)],
  ['a table of 2 000 rows', `| a | b |\n|---|---|\n${'| 漢字 | 12 |\n'.repeat(2000)}`],
];
test.each(monsters)(
  '%s: in the conversation, the pane, a question, the draft and a list, at 1×1, 80×24 and 500×200',
  (_name, text) => {
    const surface = createSurface({ cols: 80, rows: 24 }, '256');
    const draw = createComposer();
    let state = begun(80, 24, says(text), { type: 'model.reasoning', task: '1', text });
    state = following(
      state,
      { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: text },
      { type: 'tool.started', task: '1', call: 'c' },
      { type: 'tool.output', task: '1', call: 'c', text },
      { type: 'pane.opened', pane: '%1', title: text },
      { type: 'task.progress', task: '1', lastLine: text },
      { type: 'warning', message: text },
    );
    const request = { id: 'a', task: '1', call: 'c', tool: text, title: text, body: text, target: text, cwd: text, claim: null };
    const look = (now: State): void => {
      for (const size of [
        { cols: 1, rows: 1 },
        { cols: 500, rows: 200 },
        { cols: 80, rows: 24 },
      ]) {
        surface.resize(size);
        const check = createCellCheck(surface.terminal);
        const frame = draw(reduce(now, { type: 'resized', size }));
        check.check(frame, surface.paint(frame), true);
      }
    };
    look(state);
    const pasted = handleInput(state, { type: 'paste', text, complete: true }, START_MS).state;
    look(pasted);
    look(handleInput(keys(state, 'C-p'), { type: 'paste', text, complete: true }, START_MS).state);
    look(following(pasted, { type: 'approval.requested', request }));
    surface.terminal.dispose();
  },
  120_000,
);
