/** Journeys through the draft: keys in, the screen out. */

import { slashCommands } from '../../lib/commands/index.js';
import { handleInput, settle } from '../../lib/view/app.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const history = ['how full is the disk?', 'restart nginx', 'why is nginx slow?\nsince yesterday'];
const start = (): State => stateAfter(80, 24, [startedEvent()], { commands: slashCommands, history });
const type = (state: State, text: string, ...keys: readonly string[]): State =>
  press(state, START_MS, ...[...text].map((key) => (key === ' ' ? 'space' : key)), ...keys).state;
const paste = (state: State, text: string): State => handleInput(state, { type: 'paste', text, complete: true }, START_MS).state;

test('Ctrl+R finds an earlier prompt by letters of it, newest first, Enter takes it, and undo gives the draft back', () => {
  const open = type(start(), 'draft', 'C-r');
  expect(seen(open)).toContain('earlier prompts');
  expect(seen(open)).toMatch(/why is nginx slow\? since yesterday[\s\S]*restart nginx[\s\S]*how full/);
  const narrowed = type(open, 'nginx');
  expect(seen(narrowed)).toContain('1 of 2');
  expect(seen(narrowed)).not.toContain('how full');
  const taken = type(narrowed, '', 'C-r', 'enter');
  expect(history).toContain(draftOf(taken.editor));
  expect(draftOf(type(taken, '', 'C-_').editor)).toBe('draft');
  expect(draftOf(type(narrowed, '', 'escape').editor)).toBe('draft');
});

test('a question that comes while one searches waits for its own keys', () => {
  const request = { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'ls', target: 't', cwd: '/', claim: null };
  const asked = following(type(start(), '', 'C-r'), { type: 'approval.requested', request });
  const step = press(asked, START_MS, 'y');
  expect(step.effects).toEqual([]);
  expect(step.state.approvals).toHaveLength(1);
});

test('a draft is put aside for a quick question, and is back after it', () => {
  const aside = type(start(), 'a long thought', 'C-s');
  expect(seen(aside)).toContain('stashed');
  const sent = type(aside, 'quick?', 'enter');
  expect(draftOf(type(sent, '', 'C-s').editor)).toBe('a long thought');
});

test('a file is named by a few letters of it', () => {
  const asked = settle(type(start(), 'explain @')).state;
  const listed = reduce(asked, {
    type: 'files',
    folder: '/srv',
    paths: ['src/', 'src/app.ts', 'docs/a plan.md'],
    looking: false,
    more: false,
  });
  expect(seen(listed)).toContain('docs/a plan.md');
  const taken = type(listed, 'plan', 'tab');
  expect(draftOf(taken.editor)).toBe('explain @"docs/a plan.md" ');
  expect(seen(taken)).not.toContain('src/app.ts');
});

test('B1 B7: a big paste is one token; erased it is gone, sent it is whole', () => {
  const text = `${'row\n'.repeat(20_000)}end`;
  const pasted = paste(type(start(), 'see '), text);
  expect(seen(pasted)).toContain('> see [paste #1 · 20 001 lines]');
  expect(draftOf(type(pasted, '', 'C-w').editor)).toBe('see ');
  const { effects } = press(pasted, START_MS, 'enter');
  expect(effects[0]).toEqual({ type: 'send', command: { type: 'prompt.submit', text: `see ${text}` } });
});

test('B2 B6 B10: line ends of every kind are line ends, marks in a paste send nothing', () => {
  const state = paste(start(), 'a\r\nb\rc\n\x1b[201~d');
  expect(state.editor.text.lines).toEqual(['a', 'b', 'c', '\x1b[201~d']);
  expect(seen(state)).not.toContain('\x1b');
});

test('B14: one key never loses a draft', () => {
  for (const key of ['C-d', 'escape', 'C-c', 'C-s', 'C-u', 'C-w', 'C-r', 'enter']) {
    const after = type(start(), 'precious', key);
    const back =
      key === 'C-s'
        ? type(after, '', 'C-s')
        : key === 'C-r'
          ? type(after, '', 'escape')
          : key === 'C-u' || key === 'C-w'
            ? type(after, '', 'C-y')
            : after;
    const found = [back, type(back, '', 'C-_')].map((state) => draftOf(state.editor));
    expect(found).toContain('precious');
  }
});

test('vi: edit, select, change and send without leaving the home row', () => {
  const vi = stateAfter(80, 24, [startedEvent()], { editorMode: 'vi', history });
  const edited = type(vi, 'restart the apache server', 'escape', 'b', 'b', 'c', 'i', 'w', ...'nginx', 'escape');
  expect(seen(edited)).toContain('> restart the nginx server');
  expect(seen(edited)).toContain('-- NORMAL --');
  const { effects, state } = press(edited, START_MS, 'enter');
  expect(effects[0]).toMatchObject({ command: { type: 'prompt.submit', text: 'restart the nginx server' } });
  expect(seen(state)).toContain('-- INSERT --');
});
