/** Copying: what is offered, and that it is the text as it was written, not as it was wrapped. */

import { slashCommands, slashStep } from '../../lib/commands/index.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const LONG = 'word '.repeat(60).trim();
const ANSWER = `${LONG}\n\n\`\`\`sh\ndf -h | sort\necho done\n\`\`\`\n\n~~~\nplain ~~ text\n~~~\n`;

function talked(): State {
  const events: readonly RuntimeEvent[] = [
    startedEvent(),
    { type: 'task.started', task: '1', kind: 'prompt', text: 'how full?\nreally', pane: null },
    { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'df -h' },
    { type: 'tool.started', task: '1', call: 'c' },
    {
      type: 'tool.ended',
      task: '1',
      call: 'c',
      isError: false,
      text: 'a ``` in it\nline two\n',
      summary: 'exit 0',
      exitCode: 0,
      elapsedMs: 3,
    },
    { type: 'model.text', task: '1', text: ANSWER },
    { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null },
  ];
  return following(stateAfter(80, 30, [], { commands: slashCommands }), ...events);
}

const copied = (state: State, ...keys: readonly string[]) =>
  press(slashStep('/copy', state).state, START_MS, ...keys, 'enter').effects.flatMap((effect) =>
    effect.type === 'copy' ? [effect.text] : [],
  );

test('the last answer, as it was written: soft wraps are no line ends, borders are not in it', () => {
  expect(slashStep('/copy last', talked()).effects).toEqual([{ type: 'copy', text: ANSWER.trim() }]);
  expect(press(talked(), START_MS, 'tab', 'c').effects).toEqual([{ type: 'copy', text: ANSWER.trim() }]);
});

test('each code block by itself, a command, an output', () => {
  const open = slashStep('/copy', talked()).state;
  expect(seen(open)).toMatch(/the last answer/);
  expect(seen(open)).toMatch(/df -h \| sort {2}code, sh +2 lines/);
  expect(copied(talked(), ...'sort')).toEqual(['df -h | sort\necho done']);
  expect(copied(talked(), ...'plain')).toEqual(['plain ~~ text']);
  expect(copied(talked(), ...'output')).toEqual(['a ``` in it\nline two']);
  expect(copied(talked(), ...'command')).toEqual(['df -h']);
});

test('the whole conversation is markdown that holds everything once', () => {
  const [effect] = slashStep('/copy all', talked()).effects;
  expect(effect).toEqual({
    type: 'copy',
    text: `> how full?\n> really\n\n\`run_shell\` df -h (exit 0)\n\`\`\`\na \`\`\` in it\nline two\n\`\`\`\n\n${ANSWER.trim()}\n`,
  });
});

test('a fence in an output is held by a longer one', () => {
  const { transcript } = following(talked(), {
    type: 'tool.ended',
    task: '1',
    call: 'c',
    isError: false,
    text: '````\nx\n````',
    summary: '',
    exitCode: 0,
    elapsedMs: 1,
  });
  expect(transcript.length).toBeGreaterThan(0);
  const [effect] = slashStep('/copy all', { ...talked(), transcript }).effects;
  expect(effect).toMatchObject({ text: expect.stringContaining('`````\n````\nx\n````\n`````') });
});

test('nothing to copy is said', () => {
  const empty = stateAfter(80, 24, [startedEvent()], { commands: slashCommands });
  expect(seen(slashStep('/copy last', empty).state)).toContain('There is nothing to copy yet.');
  expect(seen(slashStep('/copy other', empty).state)).toContain('Write /copy, /copy last or /copy all.');
  expect(seen(press(empty, START_MS, 'tab', 'c').state)).toContain('There is no answer to copy yet.');
});
