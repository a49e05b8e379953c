/** Jumps and folds in the conversation: prompts, errors, what came before. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const prompt = (task: string, text: string): RuntimeEvent => ({ type: 'task.started', task, kind: 'prompt', text, pane: null });
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });
const long = (word: string): RuntimeEvent => says(Array.from({ length: 40 }, (_, i) => `${word} ${i}\n\n`).join(''));
const call = (id: string, exitCode: number): readonly RuntimeEvent[] => [
  { type: 'tool.requested', task: '1', call: id, name: 'run_shell', preview: `run ${id}` },
  { type: 'tool.started', task: '1', call: id },
  { type: 'tool.ended', task: '1', call: id, isError: false, text: 'out', summary: `exit ${exitCode}`, exitCode, elapsedMs: 20 },
];

const begun = (...events: readonly RuntimeEvent[]): State =>
  press(stateAfter(79, 24, [startedEvent(), ...events], { lex }), START_MS, 'tab').state;
const after = (state: State, ...keys: readonly string[]): State => press(state, START_MS, ...keys).state;

/** The rows inside the conversation pane that hold something. */
function rows(state: State): readonly string[] {
  return seen(state)
    .split('\n')
    .slice(3)
    .filter((line) => line.startsWith('│'))
    .map((line) => line.slice(1, -1).trimEnd())
    .filter((line) => line !== '');
}

const three = [prompt('1', 'first?'), long('one'), prompt('2', 'second?'), long('two'), prompt('3', 'third?'), says('short')];

test('[ and ] go from prompt to prompt, from the end too, and never stand still', () => {
  const state = begun(...three);
  const up = after(state, '[');
  expect(rows(up)[0]).toBe('● second?');
  expect(rows(after(up, '['))[0]).toBe('● first?');
  expect(rows(after(up, '[', '['))[0]).toBe('● first?');
  expect(rows(after(up, '[', ']'))[0]).toBe('● second?');
  expect(after(up, ']').reading).toEqual({ kind: 'follow' });
  expect(rows(after(up, 'down', 'down', 'down', '['))[0]).toBe('● second?');
});

test('! goes to the last error, then to the one before, then says that there is none', () => {
  const state = begun(prompt('1', 'why?'), ...call('c1', 3), long('one'), ...call('c2', 7), long('two'), ...call('c3', 0));
  const last = after(state, '!');
  expect(seen(last)).toContain('exit 7');
  expect(last.selected).not.toBeNull();
  const before = after(last, '!');
  expect(seen(before)).toContain('exit 3');
  expect(seen(after(before, '!'))).toContain('There is no error before this one.');
  expect(seen(after(begun(prompt('1', 'why?')), '!'))).toContain('There is no error.');
  expect(seen(after(last, 'pageup', '!'))).toContain('exit 7');
});

test('f folds all before the prompt that is read to its prompts, and unfolds it', () => {
  const state = begun(...three);
  const folded = after(state, 'f');
  expect(rows(folded)).toEqual(['● first? ⋯', '● second? ⋯', '● third?', '◆ short']);
  expect(rows(following(folded, says(' and more')))).toEqual(['● first? ⋯', '● second? ⋯', '● third?', '◆ short and more']);
  expect(seen(after(folded, 'f'))).toBe(seen(state));
  const reading = after(state, '[', 'f');
  expect(rows(reading).slice(0, 2)).toEqual(['● second?', '◆ two 0']);
  expect(rows(after(reading, 'up', 'up'))[0]).toBe('● first? ⋯');
});

test('a folded session of 100 000 blocks costs no walk through them', () => {
  let state = begun(prompt('1', 'first?'));
  for (let i = 0; i < 100_000; i++) state = reduce(state, { type: 'notice', level: 'info', text: `note ${i}` });
  state = after(following(state, prompt('2', 'second?'), says('short')), 'f');
  expect(rows(state)).toEqual(['● first? ⋯', '● second?', '◆ short']);
  let looked = 0;
  const chunks = new Proxy(state.transcript.chunks, {
    get(target, name) {
      looked++;
      return Reflect.get(target, name);
    },
  });
  compose({ ...state, transcript: { ...state.transcript, chunks } }, state.theme);
  expect(looked).toBeLessThan(3000);
});

test('a search finds what is folded away and shows it', () => {
  const state = after(begun(...three), 'f', '/', ...'one 17'.replace(' ', '').split(''));
  expect(seen(state)).toContain('not found');
  const typed = after(begun(...three), 'f', '/', 'o', 'n', 'e', 'space', '1', '7');
  expect(seen(typed)).toContain('one 17');
  expect(rows(after(typed, 'escape'))).toEqual(['● first? ⋯', '● second? ⋯', '● third?', '◆ short']);
});

test('thoughts are folded to a line; Enter and a click show them, p goes back to them', () => {
  const thought = { type: 'model.reasoning', task: '1', text: 'because of this\nand of that' } as const;
  const state = begun(prompt('1', 'why?'), thought, says('so'), ...call('c1', 0));
  expect(rows(state)).toContain('∴ thought · 27 B');
  const open = after(state, 'p', 'enter');
  expect(rows(open)).toContain('┊ because of this');
  expect(rows(open)).toContain('┊ and of that');
});

test('while it thinks, the end of the thought is seen', () => {
  const text = Array.from({ length: 50 }, (_, i) => `thought ${i}`).join('\n');
  expect(rows(begun(prompt('1', 'why?'), { type: 'model.reasoning', task: '1', text })).slice(1)).toEqual([
    '∴ thinking · 0 s · 539 B',
    '┊ thought 47',
    '┊ thought 48',
    '┊ thought 49',
  ]);
});

test('a new session and a summary are marked across the pane', () => {
  const state = begun({ type: 'session.started', session: 's2' }, { type: 'context.compacted', tokensBefore: 90_000, tokensAfter: 12_000 });
  expect(rows(state)).toEqual([
    `─── new session s2 ${'─'.repeat(58)}`,
    `─── what came before was summarised: 90000 tokens became 12000 ${'─'.repeat(14)}`,
  ]);
});

test('a write shows what it changes, folded to a dozen lines', () => {
  const before = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('');
  const state = begun(
    prompt('1', 'why?'),
    { type: 'tool.requested', task: '1', call: 'c', name: 'write_file', preview: '/f' },
    { type: 'tool.started', task: '1', call: 'c', diff: { path: '/f', before, after: before.replace('line 7\n', 'line seven\n') } },
  );
  expect(rows(state)).toContain('┊  8 - line 7');
  expect(rows(state)).toContain('┊  8 + line seven');
  expect(rows(state)).toContain('┊    ⋯ 29 unchanged lines');
  const whole = begun(
    prompt('1', 'why?'),
    { type: 'tool.requested', task: '1', call: 'c', name: 'write_file', preview: '/f' },
    { type: 'tool.started', task: '1', call: 'c', diff: { path: '/f', before: null, after: before } },
  );
  expect(rows(whole)).toContain('┊ … 28 more lines of the diff');
  expect(rows(after(whole, 'C-o', 'C-end'))).toContain('┊ 40 + line 39');
});
