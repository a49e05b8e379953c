/** Answers as they stream: what is finished is neither lexed nor laid out again, and nothing that a model may say stalls the screen. */

import { rowText } from '../../lib/base/style.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { compose } from '../../lib/view/compose.js';
import { type Lex, loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { blockAt } from '../../lib/view/transcript.js';
import { viewport } from '../../lib/view/viewport.js';
import { following, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'why?', pane: null };
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });

/** Streams `text` in parts with a frame after each; tells how many characters were lexed and how many rows were laid out. */
function streamed(text: string, delta: number): { readonly state: State; readonly lexed: number; readonly rows: number } {
  let lexed = 0;
  const counting: Lex = (markdown) => {
    lexed += markdown.length;
    return lex(markdown);
  };
  let state = stateAfter(100, 40, [startedEvent(), prompt], { lex: counting });
  const before = state.layouts.laidOutRows();
  for (let at = 0; at < text.length; at += delta) {
    state = following(state, says(text.slice(at, at + delta)));
    compose(state, state.theme);
  }
  return { state, lexed, rows: state.layouts.laidOutRows() - before };
}

const table = (rows: number): string =>
  `| name | size | state |\n|---|--:|---|\n${Array.from({ length: rows }, (_, i) => `| host-${i} | ${i * 7} kB | up since ${i} days |\n`).join('')}`;
const prose = (paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, i) => `Paragraph **${i}** with \`code\` and [a link](http://x.example/${i}).\n\n`).join('');

test.each([
  ['prose', prose(1)],
  ['a table', table(1).split('\n').slice(2).join('\n')],
  ['a list', '- one more item with a few words\n'],
  ['a quote', '> one more line with a few words\n'],
  ['a fence', 'echo one more line\n'],
  ['a line', 'word after word '],
])('%s: twice as much costs twice as much, not four times (C7)', (name, unit) => {
  const head = name === 'a table' ? table(0) : name === 'a fence' ? '```sh\n' : '';
  const once = streamed(head + unit.repeat(Math.ceil(40_000 / unit.length)), 200);
  const twice = streamed(head + unit.repeat(Math.ceil(80_000 / unit.length)), 200);
  expect(twice.lexed / once.lexed).toBeLessThan(2.5);
  expect(twice.rows / once.rows).toBeLessThan(2.5);
});

test('300 kB with a table of 2 000 rows: a delta lexes the last piece alone (C7)', () => {
  const text = `${prose(1500)}${table(2000)}\n${prose(1500)}`;
  expect(text.length).toBeGreaterThan(280_000);
  const { state, lexed } = streamed(text, 500);
  expect(lexed / (text.length / 500)).toBeLessThan(6000);
  const shown = viewport(state, { cols: 98, rows: 100_000 }).rows.map((seen) => rowText(seen.row));
  for (let i = 0; i < 2000; i++) expect(shown.some((row) => row.includes(`host-${i} `))).toBe(true);
});

test('the text of the pieces is the text that came, to the byte', () => {
  const text = `${table(400)}\n${prose(100)}\`\`\`\n${'x\n'.repeat(9000)}\`\`\`\n${'1. y\n'.repeat(4000)}`;
  const { state } = streamed(text, 777);
  const pieces = Array.from({ length: state.transcript.length }, (_, id) => blockAt(state.transcript, id));
  expect(pieces.map((block) => (block?.kind === 'assistant' ? block.text : '')).join('')).toBe(text);
  expect(pieces.filter((block) => block?.kind === 'assistant' && block.open).length).toBe(1);
});

test('numbers of a long list count on over its pieces', () => {
  const { state } = streamed('1. item\n'.repeat(3000), 4000);
  const shown = viewport(state, { cols: 98, rows: 100_000 }).rows.map((seen) => rowText(seen.row).replace(/^[◆┊] +/, ''));
  expect(shown.slice(2)).toEqual(Array.from({ length: 3000 }, (_, i) => `${i + 1}. item`));
});

test.each([
  ['a line of 1 MB', 'x'.repeat(1_000_000)],
  ['a line of 1 MB of words', 'words and '.repeat(100_000)],
  ['50 kB of combining marks', `a${'\u0301'.repeat(50_000)}`],
  ['10 000 nested quotes', '>'.repeat(10_000)],
  ['10 000 nested lists', '- '.repeat(10_000)],
  ['a fence that never ends', `\`\`\`sh\n${'echo "x\n'.repeat(20_000)}`],
  ['100 000 line ends', '\n'.repeat(100_000)],
  ['100 000 stars', '*'.repeat(100_000)],
  ['50 000 brackets', '['.repeat(50_000)],
  ['a table of 3 000 columns', `${'|a'.repeat(3000)}|\n${'|-'.repeat(3000)}|\n${'|b'.repeat(3000)}|\n`],
  ['half a character', '\ud83d'.repeat(10_000)],
])('%s neither breaks nor stalls it', (_name, text) => {
  const { state } = streamed(text, 20_000);
  expect(viewport(state, { cols: 98, rows: 38 }).rows.length).toBeGreaterThan(0);
});

test('output: one CR somewhere in a megabyte without a line end', () => {
  const call: readonly RuntimeEvent[] = [
    { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'x' },
    { type: 'tool.started', task: '1', call: 'c' },
    {
      type: 'tool.ended',
      task: '1',
      call: 'c',
      isError: false,
      text: `a\r${'b'.repeat(1_000_000)}`,
      summary: 'exit 0',
      exitCode: 0,
      elapsedMs: 1,
    },
  ];
  const state = { ...stateAfter(100, 40, [startedEvent(), prompt, ...call]), expandAll: true };
  expect(viewport(state, { cols: 98, rows: 20_000 }).rows.length).toBeGreaterThan(10_000);
});
