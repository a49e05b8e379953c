/** Journeys through the conversation: keys in, screen out. Letters and numbers name the cases of the list of real-world failures. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { createComposer } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { following, picture, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const lex = await loadMarkdown();
const prompt = (text: string): RuntimeEvent => ({ type: 'task.started', task: '1', kind: 'prompt', text, pane: null });
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });
const begun = (cols: number, rows: number, ...events: readonly RuntimeEvent[]): State =>
  stateAfter(cols, rows, [startedEvent(), ...events], { lex });
const keys = (state: State, ...names: readonly string[]): State => press(state, START_MS, ...names).state;
const inPane = (state: State): readonly string[] => {
  const lines = seen(state).split('\n');
  const top = lines.findIndex((line) => line.includes('─ conversation '));
  const end = lines.findIndex((line, i) => i > top && line.includes('└'));
  return lines.slice(top + 1, end).map((line) => line.split(/[│┃]/)[1]?.trimEnd() ?? '');
};

test('C1: reading older text while 5 000 lines stream, the window changes and a tool finishes', () => {
  let state = begun(79, 24, prompt('tell me'));
  for (let i = 0; i < 2500; i++) state = following(state, says(`Line ${i} of the answer.\n\n`));
  state = keys(state, 'pageup', 'pageup', 'pageup');
  const read = inPane(state);
  expect(read[0]).toMatch(/Line 24\d\d|^┊$/);
  for (let i = 2500; i < 5000; i++) state = following(state, says(`Line ${i} of the answer.\n\n`));
  state = following(
    state,
    { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'make' },
    { type: 'tool.started', task: '1', call: 'c' },
    { type: 'tool.output', task: '1', call: 'c', text: 'x\n'.repeat(100) },
    { type: 'tool.ended', task: '1', call: 'c', isError: false, text: 'x', summary: 'exit 0', exitCode: 0, elapsedMs: 5 },
  );
  expect(inPane(state)).toEqual(read);
  for (const [cols, rows] of [
    [60, 20],
    [130, 40],
    [79, 24],
  ] as const)
    state = reduce(state, { type: 'resized', size: { cols, rows } });
  expect(inPane(state)).toEqual(read);
  expect(seen(state)).toContain(' 1 new ↓ ');
  expect(inPane(keys(state, 'C-end')).at(-1)).toContain('exit 0');
});

test('A1: emoji, marks and wide letters in every block leave no letter of another frame and keep the borders straight', () => {
  const odd = '🚀 ok ⚠️ 漢字 é 👨‍👩‍👧';
  const draw = createComposer();
  let state = begun(
    79,
    24,
    prompt(odd),
    says(`# ${odd}\n\n| ${odd} | b |\n|---|---|\n| c | ${odd} |\n\n- ${odd}\n\n\`\`\`sh\necho "${odd}"\n\`\`\`\n`),
  );
  state = following(
    state,
    { type: 'tool.requested', task: '1', call: 'c', name: 'write_file', preview: odd },
    { type: 'tool.started', task: '1', call: 'c', diff: { path: odd, before: `${odd}\n`, after: `${odd}!\n` } },
  );
  for (const name of ['tab', 'C-home', 'n', 'up', 'up', '/', '漢', '字', 'enter', 'n', 'escape', 'C-o', 'C-end']) {
    state = keys(state, name);
    // picture() throws when a row is wider than its pane.
    for (const line of picture(draw(state)).slice(3, 20)) expect(line).toMatch(/^│.*│$|^[┌└].*[┐┘]$/u);
  }
});

test('C7: a keystroke while a table of 2 000 rows streams touches the draft alone', () => {
  let state = begun(100, 30, prompt('list them'), says('| name | size |\n|---|--:|\n'));
  const draw = createComposer();
  for (let i = 0; i < 2000; i++) state = following(state, says(`| host-${i} | ${i} |\n`));
  draw(state);
  const before = state.layouts.laidOutRows();
  for (const letter of 'hello') {
    state = keys(state, letter);
    draw(state);
  }
  expect(state.layouts.laidOutRows()).toBe(before);
  expect(seen(state)).toContain('> hello');
  expect(seen(state)).toContain('host-1999');
});

test('N1: what a model says drives no terminal, in a search and in a diff neither', () => {
  const evil = 'a\x1b]52;c;ZXZpbA==\x07b\u202ec\x9b2Jd{bold}';
  let state = begun(100, 40, prompt(evil), says(`${evil}\n\n\`\`\`${evil}\n${evil}\n\`\`\``));
  state = following(
    state,
    { type: 'tool.requested', task: '1', call: 'c', name: 'write_file', preview: evil },
    { type: 'tool.started', task: '1', call: 'c', diff: { path: evil, before: `${evil}\n`, after: `${evil}${evil}\n` } },
  );
  state = keys(state, 'tab', '/', 'b', '<', 'U', '+');
  expect(seen(state)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(seen(state)).toContain('a␛]52;c;ZXZpbA==␇b<U+202E>c<U+009B>2Jd{bold}');
  expect(seen(state)).toMatch(/\/b<U\+ +1 of \d+/);
});

test('J3: a countdown counts down, and is over when something comes', () => {
  const retry: RuntimeEvent = { type: 'model.retrying', task: '1', attempt: 1, attempts: 3, atMs: START_MS + 8000, reason: 'HTTP 429' };
  let state = begun(79, 24, prompt('why?'), retry);
  for (const left of [8, 7, 1]) {
    state = reduce(state, { type: 'tick', nowMs: START_MS + 8000 - left * 1000 });
    expect(inPane(state)).toContain(`↻ trying again in ${left} s (attempt 2 of 3): HTTP 429`);
  }
  expect(seen(following(state, says('because')))).not.toContain('trying again');
});

test('an error far up is found, read, searched from, and left again', () => {
  const failed = (call: string, text: string): readonly RuntimeEvent[] => [
    { type: 'tool.requested', task: '1', call, name: 'run_shell', preview: `make ${call}` },
    { type: 'tool.started', task: '1', call },
    { type: 'tool.ended', task: '1', call, isError: false, text, summary: 'exit 2', exitCode: 2, elapsedMs: 5 },
  ];
  let state = begun(79, 24, prompt('build'), ...failed('one', 'cc: no such file\n'), says('More words.\n\n'.repeat(60)));
  const end = seen(state);
  state = keys(state, 'tab', '!');
  expect(inPane(state).join('\n')).toContain('make one');
  expect(seen(keys(state, 'enter'))).toContain('cc: no such file');
  state = keys(state, '/', 's', 'u', 'c', 'h');
  expect(seen(state)).toMatch(/│\/such +1 of 1│/);
  state = keys(state, 'enter', 'escape', 'G', 'i');
  expect(seen(state)).toBe(end);
});
