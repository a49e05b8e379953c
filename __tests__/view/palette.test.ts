/** The palette, keys of the user's own and keys pressed one after the other. */

import { fuzzyFilter, fuzzyMatch } from '../../lib/base/fuzzy.js';
import type { Host } from '../../lib/base/host.js';
import { slashCommands, slashStep } from '../../lib/commands/index.js';
import { Themes } from '../../lib/modes/themes.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { checkBindings, parseKey } from '../../lib/view/key-bindings.js';
import { paletteItems } from '../../lib/view/pickers/palette.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const idle = (more = {}) => stateAfter(120, 40, [startedEvent()], { commands: slashCommands, ...more });
const typed = (text: string, from = idle()) => press(press(from, START_MS, 'C-p').state, START_MS, ...text);
const question: RuntimeEvent = {
  type: 'approval.requested',
  request: { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'uptime', target: 'web-01', cwd: '/', claim: null },
};
const entry = (action: string, ...keys: readonly string[]) => ({ action, keys, where: `buddy.toml:3: keys.${action}` });

describe('palette', () => {
  test('typing searches; keys are shown; Enter does it', () => {
    const open = typed('pane alone');
    expect(seen(open.state)).toMatch(/┌─ commands ─/);
    expect(seen(open.state)).toMatch(/this pane alone, or all again {2}zoom +Z? *z? *F5/i);
    const done = press(open.state, START_MS, 'enter');
    expect([done.state.zoomed, done.state.picker]).toEqual([true, null]);
  });

  test('what cannot be done says why, and is not done', () => {
    const open = typed('interrupt');
    expect(seen(open.state)).toContain('not now: nothing runs');
    const tried = press(open.state, START_MS, 'enter');
    expect([tried.effects, tried.state.picker?.query]).toEqual([[], 'interrupt']);
    expect(seen(tried.state)).toContain('Not now: nothing runs.');
  });

  test('slash commands run, or wait in the draft for what they need', () => {
    expect(press(typed('/status').state, START_MS, 'enter').effects).toEqual([{ type: 'slash', line: '/status' }]);
    const needs = press(typed('/kill').state, START_MS, 'enter');
    expect([needs.effects, draftOf(needs.state.editor)]).toEqual([[], '/kill ']);
  });

  test('no more than 200 characters come into the line, none of them a control character, and that is said', () => {
    const open = press(stateAfter(100, 30, [startedEvent()]), START_MS, 'C-p').state;
    const paste = (text: string): State => handleInput(open, { type: 'paste', text, complete: true }, START_MS).state;
    const long = paste('👩‍👩‍👧'.repeat(150) + 'x'.repeat(1_000_000));
    expect(long.picker?.query).toBe('👩‍👩‍👧'.repeat(150) + 'x'.repeat(50));
    expect(seen(long)).toContain('No more than 200 characters are searched for; the rest was left out.');
    expect(press(long, START_MS, 'y').state.picker?.query).toBe(long.picker?.query);
    const hostile = paste('a\x1b[31mb\x9b1mc\x07\x7f\x00d\u0085e');
    expect(hostile.picker?.query).toBe('a [31mb 1mc d e');
    expect(hostile.toasts).toEqual([]);
  });

  test('that is said for four seconds from the key on, however long nothing had happened before', () => {
    const open = press(stateAfter(100, 30, [startedEvent()]), START_MS, 'C-p').state;
    const [pastedMs, typedMs] = [START_MS + 60_000, START_MS + 120_000];
    const pasted = handleInput(open, { type: 'paste', text: 'x'.repeat(201), complete: true }, pastedMs).state;
    const typed = press(pasted, typedMs, 'y').state;
    const searching = press(stateAfter(100, 30, [startedEvent()]), START_MS, 'tab', '/').state;
    const searched = handleInput(searching, { type: 'paste', text: 'x'.repeat(201), complete: true }, pastedMs).state;
    for (const [state, atMs] of [
      [pasted, pastedMs],
      [typed, typedMs],
      [searched, pastedMs],
    ] as const) {
      const told = (afterMs: number) => seen(reduce(state, { type: 'tick', nowMs: atMs + afterMs })).includes('the rest was left out');
      expect([told(100), told(3900), told(4100)]).toEqual([true, true, false]);
    }
  });

  test('a paste searches too, Backspace and Ctrl+U take it back, Esc leaves all as it was', () => {
    const open = press(idle(), START_MS, 'C-p').state;
    const pasted = handleInput(open, { type: 'paste', text: 'zo\nom', complete: true }, START_MS).state;
    expect(pasted.picker?.query).toBe('zo om');
    expect(press(pasted, START_MS, 'backspace').state.picker?.query).toBe('zo o');
    expect(press(pasted, START_MS, 'C-u').state.picker?.query).toBe('');
    const closed = press(pasted, START_MS, 'escape').state;
    expect([closed.picker, draftOf(closed.editor)]).toEqual([null, '']);
  });

  test('a question comes first: it has the keys, and the list is back after the answer', () => {
    const asked = following(typed('zoom').state, question);
    expect(seen(asked)).not.toContain('─ commands ─');
    expect(seen(press(asked, START_MS, 'C-p').state)).not.toContain('─ commands ─');
    const answered = following(asked, { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'user' });
    expect(seen(answered)).toContain('> zoom');
  });

  test('every entry can be reached by moving, and nothing fits is said', () => {
    const open = press(idle(), START_MS, 'C-p').state;
    const last = press(open, START_MS, ...Array.from({ length: 300 }, () => 'down')).state;
    expect(seen(open)).toContain(`/${slashCommands[0]?.name}`);
    expect(seen(last)).toContain(paletteItems(open).at(-1)?.id);
    expect(seen(typed('qqqqqq').state)).toContain('nothing fits');
  });
});

describe('themes', () => {
  const withThemes = () => reduce(idle(), { type: 'theme.names', names: ['auto', 'dark', 'light', 'terminal'] });
  const wear = (name: string, keep: boolean) => ({ type: 'theme', name, keep });

  test('/theme opens the list; each one is worn while it is chosen, Enter keeps it, Esc goes back', () => {
    const { state } = slashStep('/theme', withThemes());
    expect(seen(state)).toMatch(/┌─ themes ─[\s\S]*terminal +now/);
    const moved = press(state, START_MS, 'down');
    expect(moved.effects).toEqual([wear('dark', false)]);
    expect(press(moved.state, START_MS, ...'lig').effects.at(-1)).toEqual(wear('light', false));
    expect(press(moved.state, START_MS, 'enter').effects).toEqual([wear('dark', true)]);
    expect(press(moved.state, START_MS, 'escape').effects).toEqual([wear('terminal', true)]);
  });

  test('/theme with a name wears it, an unknown one is told', () => {
    expect(slashStep('/theme dark', withThemes()).effects).toEqual([wear('dark', true)]);
    expect(seen(slashStep('/theme nope', withThemes()).state)).toContain('There is no theme "nope"');
  });

  test('a theme that is worn changes every colour, and the text stays where it was', () => {
    const dark = new Themes({ packageDir: process.cwd(), homeDir: '/nowhere', env: {} } as unknown as Host, { themes: {} }).load('dark');
    const before = idle();
    const after = reduce(before, { type: 'theme', name: 'dark', theme: dark, keep: true });
    expect(seen(after)).toBe(seen(before));
    expect(compose(after, after.theme).ground).toEqual(dark.ground);
    expect(after.themeName).toBe('dark');
  });
});

describe('keys of the user', () => {
  test.each([
    ['ctrl+o', 'C-o'],
    ['Ctrl-Shift-O', 'C-o'],
    ['alt+enter', 'M-enter'],
    ['shift+tab', 'S-tab'],
    ['shift+g', 'G'],
    ['pgdn', 'pagedown'],
    ['f12', 'f12'],
    ['+', '+'],
    ['ctrl+-', 'C--'],
    ['é', 'é'],
    ['f13', null],
    ['hyper+x', null],
    ['', null],
    ['ab', null],
  ])('%s is %s', (written, key) => {
    expect(parseKey(written)).toBe(key);
  });

  test('a binding replaces the keys of an action: help, hints and the palette follow', () => {
    const { bindings, problems } = checkBindings([entry('palette.open', 'f2'), entry('pane/zoom', 'Z')]);
    expect(problems).toEqual([]);
    const state = idle({ bindings });
    expect(press(state, START_MS, 'C-p').state.picker).toBeNull();
    expect(press(state, START_MS, 'f2').state.picker).not.toBeNull();
    expect(seen(press(state, START_MS, 'f1', ...Array.from({ length: 30 }, () => 'down')).state)).toMatch(
      /F2 +everything that can be done/,
    );
    expect(press(state, START_MS, 'tab', 'z').state.zoomed).toBe(false);
    expect(press(state, START_MS, 'tab', 'Z').state.zoomed).toBe(true);
    expect(press(state, START_MS, 'f5').state.zoomed).toBe(true);
  });

  test('an empty list takes the key away, but never the last way back', () => {
    const { bindings, problems } = checkBindings([entry('expandAll'), entry('takeover.end')]);
    expect(problems).toEqual(['buddy.toml:3: keys.takeover.end must keep a key: without one there is no way back']);
    expect(press(idle({ bindings }), START_MS, 'C-o').state.expandAll).toBe(false);
  });

  test('what is wrong names the line', () => {
    expect(checkBindings([entry('zom', 'z'), entry('zoom', 'hyper+z'), entry('conversation.copy', 'k')]).problems).toEqual([
      'buddy.toml:3: keys.zom names no action; did you mean "zoom"?',
      'buddy.toml:3: keys.zoom: "hyper+z" is no key; write for example "ctrl+o", "alt+enter", "f5" or "ctrl+x ctrl+e"',
      'buddy.toml:3: keys.conversation.copy: k already means "conversation.up" there, which wins over "conversation.copy"',
    ]);
  });

  test('keys one after the other: the next ones are shown, a slip types nothing', () => {
    const { bindings } = checkBindings([entry('draft.external', 'ctrl+x ctrl+e'), entry('repaint', 'ctrl+x l')]);
    const begun = press(idle({ bindings }), START_MS, 'C-x');
    expect(seen(begun.state)).toMatch(/Ctrl\+E +write in \$EDITOR/);
    expect(seen(begun.state)).toMatch(/l +paint the screen anew/);
    expect(press(begun.state, START_MS, 'l').effects).toEqual([{ type: 'repaint' }]);
    const slip = press(begun.state, START_MS, 'q').state;
    expect([slip.prefix, draftOf(slip.editor)]).toEqual(['', '']);
    expect(seen(slip)).toContain('Ctrl+X q means nothing here.');
  });
});

describe('fuzzy search', () => {
  test('starts of words and neighbours win, parts may stand in any order', () => {
    const best = (query: string, ...texts: readonly string[]) => fuzzyFilter(query, texts, (text) => text)[0]?.entry;
    expect(best('sf', 'misfit', 'show file')).toBe('show file');
    expect(best('zoom', 'z o o m', 'zoom')).toBe('zoom');
    expect(best('file show', 'show files', 'profile')).toBe('show files');
    expect(fuzzyMatch('abc', 'acb')).toBeNull();
    expect(fuzzyMatch('', 'anything')?.at).toEqual([]);
    expect(fuzzyMatch('ist', 'İstanbul')).not.toBeUndefined();
  });
});
