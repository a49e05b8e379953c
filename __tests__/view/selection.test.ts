/** Text selected with the mouse: what is copied, and what is shown as selected. */

import { rowOf, type Style } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import { clusterWidth, graphemes } from '../../lib/base/width.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { handleInput } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { click, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });
const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'tell me', pane: null };
const begun = (cols: number, ...events: readonly RuntimeEvent[]): State =>
  stateAfter(cols, 24, [startedEvent(), prompt, ...events], { lex });
const mirrored = (cols: number, ...lines: readonly string[]): RuntimeEvent => ({
  type: 'pane.screen',
  pane: '%1',
  screen: {
    cols,
    rows: lines.map((text) => rowOf({ text: visible(text), style: {} })),
    cursor: { x: 0, y: 0, shown: true },
    modes: freshModes,
  },
});
const opened: RuntimeEvent = { type: 'pane.opened', pane: '%1', title: 'shared' };

/** The cell where `words` begin on the screen, and the one where they end. */
function cellsOf(state: State, words: string): { readonly first: readonly [number, number]; readonly last: readonly [number, number] } {
  const lines = seen(state).split('\n');
  const y = lines.findIndex((line) => line.includes(words));
  const line = lines[y] ?? '';
  const cells = (text: string) => graphemes(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0);
  const x = cells(line.slice(0, line.indexOf(words)));
  return { first: [x, y], last: [x + cells(words) - 1, y] };
}

/** What is copied after dragging from the first of `from` to the last of `to`. */
function copied(state: State, from: string, to = from): string | null {
  const { effects } = click(state, START_MS, cellsOf(state, from).first, cellsOf(state, to).last);
  const effect = effects.find(({ type }) => type === 'copy');
  return effect?.type === 'copy' ? effect.text : null;
}

/** The texts that are shown as selected: single rows whose style is the other way round than in the rest. */
function inverted(state: State): readonly string[] {
  const { size, parts } = compose(state, state.theme);
  return parts.flatMap(({ rect, rows }) => {
    const isPlain = (style: Style) => style.inverse !== true;
    const isOver = rect.rows === 1 && rect.y > 2 && rect.y < size.rows - 3 && rows[0]?.segments.every(({ style }) => !isPlain(style));
    return isOver === true ? [rows[0]?.segments.map(({ text }) => text).join('') ?? ''] : [];
  });
}

describe('in the conversation', () => {
  test('what lies between two cells, and it is shown inverted', () => {
    const state = begun(79, says('The quick brown fox.\n'));
    expect(copied(state, 'quick', 'brown')).toBe('quick brown');
    const { first, last } = { first: cellsOf(state, 'quick').first, last: cellsOf(state, 'brown').last };
    expect(inverted(click(state, START_MS, first, last).state)).toEqual(['quick brown']);
    expect(inverted(click(state, START_MS, last, first).state)).toEqual(['quick brown']);
  });

  test('soft wraps are rejoined, with the blank that was at the break, and the gutter stays out', () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
    const state = begun(79, says(`${words}\n\nend of it`));
    expect(copied(state, 'word2 ', 'end of')).toBe(`${words.slice(words.indexOf('word2 '))}\n\nend of`);
    const { first } = cellsOf(state, 'word0');
    expect(click(state, START_MS, [1, first[1]], [77, first[1] + 1]).effects).toEqual([
      { type: 'copy', text: expect.stringMatching(/^word0 word1 .* word\d+$/) },
    ]);
  });

  test('code comes without its indentation, a list with its marks, a long item whole', () => {
    const item = 'item '.repeat(30).trim();
    const state = begun(79, says(`Run:\n\n\`\`\`sh\nif true; then\n  ls -l\nfi\n\`\`\`\n\n- ${item}\n- two\n\n> quoted\n`));
    expect(copied(state, 'if true', 'fi')).toBe('if true; then\n  ls -l\nfi');
    expect(copied(state, '• item', 'two')).toBe(`• ${item}\n• two`);
    expect(copied(state, '▌ quoted')).toBe('quoted');
  });

  test('wide characters and families are whole, whichever of their cells is under the pointer', () => {
    const state = begun(79, says('a日本語b 👩‍👩‍👧!'));
    const [x, y] = cellsOf(state, '日').first;
    for (const from of [x, x + 1]) expect(click(state, START_MS, [from, y], [x + 2, y]).effects).toEqual([{ type: 'copy', text: '日本' }]);
    const family = cellsOf(state, '👩‍👩‍👧').first[0];
    expect(click(state, START_MS, [family + 1, y], [family + 2, y]).effects).toEqual([{ type: 'copy', text: '👩‍👩‍👧!' }]);
  });

  test('over several blocks: prompt, answer, a card', () => {
    const call: readonly RuntimeEvent[] = [
      { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'make' },
      { type: 'tool.started', task: '1', call: 'c' },
      { type: 'tool.ended', task: '1', call: 'c', isError: false, text: '', summary: 'exit 0', exitCode: 0, elapsedMs: 5000 },
    ];
    expect(copied(begun(79, says('I will.'), ...call), 'tell', '5.0 s')).toBe('tell me\n\nI will.\nrun_shell  make\nexit 0 · 5.0 s');
  });

  test('what streams meanwhile moves nothing under the pointer, and following goes on after the release', () => {
    const state = begun(79, says('line\n\n'.repeat(40)), says('the last line'));
    const { first, last } = cellsOf(state, 'the last');
    const event = (action: 'press' | 'drag' | 'release', [x, y]: readonly [number, number]) =>
      ({ type: 'mouse', action, button: 'left', x, y }) as const;
    let held = handleInput(state, event('press', first), START_MS).state;
    held = handleInput(held, event('drag', [first[0] + 1, first[1]]), START_MS).state;
    const before = seen(held).split('\n').slice(0, 20);
    held = following(held, says(' goes on.\n\n'), says('more\n\n'.repeat(30)));
    expect(seen(held).split('\n')[first[1]]).toContain('the last');
    expect(seen(held).split('\n').slice(3, 20)).toEqual(before.slice(3).map((line) => expect.stringContaining(line.slice(0, 70))));
    held = handleInput(held, event('drag', last), START_MS).state;
    const done = handleInput(held, event('release', last), START_MS);
    expect(done.effects).toEqual([{ type: 'copy', text: 'the last' }]);
    expect(done.state.reading).toEqual({ kind: 'follow' });
  });

  test('beyond an edge it is scrolled, and all that was passed is selected', () => {
    const state = begun(79, says(Array.from({ length: 60 }, (_, i) => `line ${i}.`).join('\n\n')));
    const [x, y] = cellsOf(state, 'line 59.').first;
    const { effects, state: after } = click(state, START_MS, [x + 7, y], ...Array<[number, number]>(20).fill([x, 1]));
    const text = effects[0]?.type === 'copy' ? effects[0].text : '';
    expect(text.split('\n\n').length).toBeGreaterThan(15);
    expect(text.endsWith('line 58.\n\nline 59.')).toBe(true);
    expect(after.reading.kind).toBe('at');
  });

  test('two clicks take a word (a path is one), three the whole line', () => {
    const path = '/var/log/nginx/access.log';
    const words = 'long '.repeat(30).trim();
    const state = begun(79, says(`Look at "${path}", ${words}.`));
    const [x, y] = cellsOf(state, path).first;
    const once = click(state, START_MS, [x + 3, y]);
    const twice = click(once.state, START_MS + 200, [x + 3, y]);
    expect([once.effects, twice.effects]).toEqual([[], [{ type: 'copy', text: path }]]);
    expect(inverted(twice.state)).toEqual([path]);
    const thrice = click(twice.state, START_MS + 400, [x + 3, y]);
    expect(thrice.effects).toEqual([{ type: 'copy', text: `Look at "${path}", ${words}.` }]);
    expect(click(once.state, START_MS + 500, [x + 3, y]).effects).toEqual([]);
  });

  test('a double click on a card takes the word that was seen, and leaves the card as it was', () => {
    const call: readonly RuntimeEvent[] = [
      { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'make all' },
      { type: 'tool.started', task: '1', call: 'c' },
      { type: 'tool.ended', task: '1', call: 'c', isError: false, text: 'one\ntwo', summary: 'exit 0', exitCode: 0, elapsedMs: 5 },
    ];
    const state = begun(79, ...call);
    const { first } = cellsOf(state, 'exit 0');
    const once = click(state, START_MS, first);
    expect(seen(once.state)).toContain('two');
    const twice = click(once.state, START_MS + 100, first);
    expect(twice.effects).toEqual([{ type: 'copy', text: 'exit' }]);
    expect(seen(twice.state)).not.toContain('two');
  });

  test('another size of the pane lets go of it, a key too; scrolling keeps it', () => {
    const state = begun(79, says('The quick brown fox.\n'), says('x\n\n'.repeat(30)));
    const top = press(state, START_MS, 'C-home').state;
    const { first, last } = cellsOf(top, 'quick');
    const selected = click(top, START_MS, first, last).state;
    expect(inverted(selected)).toEqual(['quick']);
    expect(inverted(reduce(selected, { type: 'resized', size: { cols: 70, rows: 24 } }))).toEqual([]);
    expect(inverted(press(selected, START_MS, 'a').state)).toEqual([]);
    const wheel = (action: 'wheel-up' | 'wheel-down') => ({ type: 'mouse', action, button: 'none', x: 5, y: 10 }) as const;
    const down = handleInput(handleInput(selected, wheel('wheel-down'), START_MS).state, wheel('wheel-down'), START_MS).state;
    expect(inverted(down)).toEqual([]);
    expect(inverted(handleInput(handleInput(down, wheel('wheel-up'), START_MS).state, wheel('wheel-up'), START_MS).state)).toEqual([
      'quick',
    ]);
  });
});

describe('in the mirror', () => {
  const start = (...events: readonly RuntimeEvent[]): State => begun(160, opened, ...events);

  test('rows of a picture: blanks at their ends stay out, what filled its row is rejoined', () => {
    const state = start(mirrored(70, '$ ls   ', 'a  b   ', 'x'.repeat(70), 'yz', '日'.repeat(35), '本', '$ '));
    expect(copied(state, '$ ls', 'yz')).toBe(`$ ls\na  b\n${'x'.repeat(70)}yz`);
    expect(copied(state, '日', '本')).toBe(`${'日'.repeat(35)}本`);
  });

  test('never the border, however far the pointer goes', () => {
    const state = start(mirrored(70, 'one', 'two'));
    const { first } = cellsOf(state, 'one');
    expect(click(state, START_MS, first, [0, 23]).effects).toEqual([{ type: 'copy', text: 'one\ntwo' }]);
  });

  test('the picture stands still while the button is down; afterwards what has changed is not marked any more', () => {
    const state = start(mirrored(70, 'one', 'two'));
    const { first, last } = cellsOf(state, 'two');
    const event = (action: 'press' | 'drag' | 'release', [x, y]: readonly [number, number]) =>
      ({ type: 'mouse', action, button: 'left', x, y }) as const;
    let held = handleInput(handleInput(state, event('press', first), START_MS).state, event('drag', last), START_MS).state;
    held = following(held, mirrored(70, 'three', 'four'));
    expect(seen(held)).toContain('two');
    expect(inverted(held)).toEqual(['two']);
    const done = handleInput(held, event('release', last), START_MS);
    expect(done.effects).toEqual([{ type: 'copy', text: 'two' }]);
    expect([seen(done.state).includes('two'), inverted(done.state)]).toEqual([false, []]);
  });

  test('during a takeover text is selected where the program knows no mouse', () => {
    const taken = press(start(mirrored(70, 'one two')), START_MS, 'f6').state;
    const step = click(taken, START_MS, cellsOf(taken, 'two').first, cellsOf(taken, 'two').last);
    expect(step.effects).toEqual([{ type: 'copy', text: 'two' }]);
    expect(step.state.takeover).toEqual({ pane: '%1', lost: false });
  });

  test('dragging takes nothing over', () => {
    const state = start(mirrored(70, 'one two'));
    expect(click(state, START_MS, cellsOf(state, 'one').first, cellsOf(state, 'two').last).state.takeover).toBeNull();
  });
});

test('without copying on release Alt+W copies, also in the draft', () => {
  const mouse = { enabled: true, wheelRows: 3, copyOnRelease: false };
  const state = stateAfter(79, 24, [startedEvent(), prompt, says('The quick brown fox.')], { lex, mouse });
  const { effects, state: selected } = click(state, START_MS, cellsOf(state, 'quick').first, cellsOf(state, 'quick').last);
  expect([effects, inverted(selected)]).toEqual([[], ['quick']]);
  expect(seen(selected)).toContain('Alt+W copy');
  expect(press(selected, START_MS, 'M-w').effects).toEqual([{ type: 'copy', text: 'quick' }]);
  expect(press(selected, START_MS, 'a', 'M-w').effects).toEqual([]);
});
