/** The key table: no key means two things in one place, and everything in it can be pressed. */

import { contextsOf, type KeyContext, keyLabel, keymap } from '../../lib/view/keymap.js';
import { press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

test('a key has one meaning per context; a second row counts only behind one with a condition', () => {
  const conflicts: string[] = [];
  const taken = new Map<string, boolean>();
  for (const row of keymap) {
    for (const key of row.keys) {
      const place = `${row.context} ${key}`;
      if (taken.get(place) === false) conflicts.push(place);
      taken.set(place, row.when !== undefined);
    }
  }
  expect(conflicts).toEqual([]);
});

test('every key name is one that the decoder gives', () => {
  const names =
    /^(C-)?(M-)?(S-)?(enter|tab|escape|space|backspace|delete|insert|up|down|left|right|home|end|pageup|pagedown|f\d{1,2}|[^\s])$/;
  expect(keymap.flatMap((row) => row.keys.flatMap((keys) => keys.split(' '))).filter((key) => !names.test(key))).toEqual([]);
});

test('Ctrl+P opens the palette from the draft and from every pane', () => {
  const contexts: readonly KeyContext[] = contextsOf(stateAfter(80, 24));
  const ids = keymap.filter((row) => contexts.includes(row.context) && row.keys.includes('C-p')).map((row) => row.id);
  expect(ids).toEqual(['palette.open']);
});

test.each([
  ['C-o', 'Ctrl+O'],
  ['M-enter', 'Alt+Enter'],
  ['S-tab', 'Shift+Tab'],
  ['pagedown', 'PgDn'],
  ['f1', 'F1'],
  ['?', '?'],
  ['C-_', 'Ctrl+_'],
])('%s is read as %s', (key, label) => {
  expect(keyLabel(key)).toBe(label);
});

test('help names every row and why some cannot be done now', () => {
  let state = press(stateAfter(120, 40, [startedEvent()]), START_MS, '?').state;
  let text = '';
  for (let i = 0; i < 40; i++) {
    text += seen(state);
    state = press(state, START_MS, 'pagedown').state;
  }
  for (const row of keymap) expect(text).toContain(row.says.slice(0, 60));
  expect(text).toContain('(not now: nothing runs)');
  expect(seen(press(state, START_MS, 'escape').state)).not.toContain('┌─ help');
});

test('the hint line names keys that do something here', () => {
  const last = (state: ReturnType<typeof stateAfter>) => seen(state).split('\n').at(-1);
  const state = stateAfter(120, 40, [startedEvent()]);
  expect(last(state)).toBe(
    ' Enter send · Alt+Enter newline · Alt+Q queue · ? help · Tab panes · Ctrl+P palette · Ctrl+O expand all · F7 free mouse',
  );
  expect(last(press(state, START_MS, 'tab').state)).toContain('Enter expand');
});
