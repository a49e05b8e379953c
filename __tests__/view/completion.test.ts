/** The list of choices: slash commands with their arguments, files behind `@`, and what it looks like when it is long. */

import { slashCommands } from '../../lib/commands/index.js';
import { settle } from '../../lib/view/app.js';
import { completions, quoted } from '../../lib/view/completion.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const start = (): State => stateAfter(80, 24, [startedEvent()], { commands: slashCommands });
const keys = (state: State, text: string, ...more: readonly string[]): State =>
  press(state, START_MS, ...[...text].map((key) => (key === ' ' ? 'space' : key)), ...more).state;
const labels = (state: State) => completions(state).map((choice) => choice.label);

describe('slash commands', () => {
  test('arguments come from the command itself', () => {
    expect(labels(keys(start(), '/model '))).toEqual(['gpt', 'demo']);
    expect(labels(keys(start(), '/approve a'))).toEqual(['ask', 'all']);
    const busy = following(start(), { type: 'task.started', task: '4', kind: 'job', text: 'apt upgrade', pane: '%2' });
    expect(labels(keys(busy, '/kill '))).toEqual(['4']);
    const panes = following(
      start(),
      { type: 'pane.opened', pane: '%1', title: 'shared' },
      { type: 'pane.opened', pane: '%2', title: 'build' },
    );
    expect(labels(keys(panes, '/panes '))).toEqual(['shared', 'build']);
    expect(draftOf(keys(panes, '/panes b', 'tab').editor)).toBe('/panes build');
  });

  test('a path that begins with a slash is no command, pasted or typed (B9)', () => {
    expect(labels(keys(start(), '/etc/hosts is broken'))).toEqual([]);
    expect(press(keys(start(), '/etc/hosts is broken'), START_MS, 'enter').effects[0]).toMatchObject({ type: 'send' });
  });

  test('a long list scrolls with the choice and says how many there are', () => {
    const state = keys(start(), '/');
    expect(seen(state)).toContain(`1 of ${slashCommands.length}`);
    const last = press(state, START_MS, ...Array<string>(slashCommands.length - 1).fill('down')).state;
    expect(seen(last)).toContain(`${slashCommands.length} of ${slashCommands.length}`);
    expect(seen(last)).toContain('/timeout');
    expect(seen(press(last, START_MS, 'down').state)).toContain(`1 of ${slashCommands.length}`);
  });

  test('taking a choice is one step of undo', () => {
    expect(draftOf(keys(start(), '/he', 'tab', 'C-_').editor)).toBe('/he');
  });
});

describe('files', () => {
  const paths = ['README.md', 'src/', 'src/main.ts', 'src/my file.ts', "src/it's.ts", 'lib/read/me.ts'];
  const asked = (text: string): State => {
    const typed = settle(keys(start(), text));
    expect(typed.effects).toContainEqual({ type: 'files', folder: '/srv' });
    return reduce(typed.state, { type: 'files', folder: '/srv', paths, looking: false, more: false });
  };

  test('are looked for once when "@" is typed, and no longer when it is left', () => {
    const { state, effects } = settle(keys(start(), 'look at @'));
    expect(effects.filter((effect) => effect.type === 'files')).toEqual([{ type: 'files', folder: '/srv' }]);
    expect(settle(keys(state, 'x')).effects.filter(({ type }) => type === 'files')).toEqual([]);
    expect(seen(state)).toContain('looking for files …');
    const left = settle(keys(state, ' '));
    expect(left.effects).toEqual([{ type: 'files', folder: null }]);
    expect(left.state.files).toBeNull();
  });

  test('fuzzy, the name before the folders; the choice puts the path, and Enter sends nothing yet', () => {
    expect(labels(keys(asked('see @'), 'readme'))).toEqual(['README.md', 'lib/read/me.ts']);
    const step = press(keys(asked('see @'), 'main'), START_MS, 'enter');
    expect(step.effects).toEqual([]);
    expect(draftOf(step.state.editor)).toBe('see @src/main.ts ');
  });

  test('a path with blanks is in quotes; of a command of your own it stands as a shell reads it', () => {
    expect(draftOf(press(keys(asked('@'), 'myfile'), START_MS, 'tab').state.editor)).toBe('@"src/my file.ts" ');
    expect(draftOf(press(keys(asked('!cat @'), 'myfile'), START_MS, 'tab').state.editor)).toBe("!cat 'src/my file.ts' ");
    expect(quoted("a'b")).toBe("'a'\\''b'");
    expect(quoted('a/ü-1.ts')).toBe('a/ü-1.ts');
  });

  test('a folder goes on', () => {
    const state = press(keys(asked('@'), 'src'), START_MS, 'tab').state;
    expect(draftOf(state.editor)).toBe('@src/');
    expect(labels(state)[0]).toBe('src/');
  });

  test('not in a mail address, not behind a blank, not over ssh, not after Esc', () => {
    expect(settle(keys(start(), 'me@host')).effects).toEqual([]);
    const ssh = following(start(), {
      type: 'target.changed',
      target: { kind: 'ssh', via: 'tmux', label: 'web', host: 'web', user: 'root', cwd: '/srv', shell: 'bash', attach: null },
    });
    expect(settle(keys(ssh, '@a')).effects.filter(({ type }) => type === 'files')).toEqual([]);
    const state = press(asked('@ma'), START_MS, 'escape').state;
    expect(labels(state)).toEqual([]);
    expect(seen(state)).not.toContain('src/main.ts');
  });

  test('what comes after it was left, or for another folder, is dropped', () => {
    const left = reduce(start(), { type: 'files', folder: '/srv', paths, looking: false, more: false });
    expect(left.files).toBeNull();
    const other = reduce(settle(keys(start(), '@')).state, { type: 'files', folder: '/etc', paths, looking: false, more: false });
    expect(labels(other)).toEqual([]);
  });

  test('the pane and the last output by their first letters, and what others offer, also over ssh', () => {
    const ssh = following(start(), {
      type: 'target.changed',
      target: { kind: 'ssh', via: 'tmux', label: 'web', host: 'web', user: 'root', cwd: '/srv', shell: 'bash', attach: null },
    });
    const typed = settle(keys(ssh, 'see @p')).state;
    expect(labels(typed)).toEqual(['@pane']);
    expect(draftOf(press(typed, START_MS, 'tab').state.editor)).toBe('see @pane ');
    expect(labels(settle(keys(ssh, 'see @pane')).state)).toEqual([]);
    expect(labels(settle(keys(ssh, '!echo @p')).state)).toEqual([]);
    const asked = settle(keys(ssh, '@docs:')).state;
    const offered = following(asked, {
      type: 'mentions.told',
      ...{ text: '@docs:', attached: [], tokens: 0, troubles: [], missing: ['@docs:'] },
      choices: [
        { word: 'docs:a b', says: 'a page' },
        { word: 'other:x', says: '' },
      ],
    });
    expect(labels(offered)).toEqual(['@docs:a b']);
    expect(draftOf(press(offered, START_MS, 'tab').state.editor)).toBe('@"docs:a b" ');
  });

  test('says when nothing fits, and when there are more than the list holds', () => {
    expect(seen(keys(asked('@'), 'zzzz'))).toContain('no file fits');
    // That one is no file, and is there.
    expect(seen(keys(asked('@'), 'pane'))).not.toContain('no file fits');
    // Nor does a file that is called like it take its place.
    const like = reduce(settle(keys(start(), '@')).state, {
      type: 'files',
      folder: '/srv',
      paths: ['panes.ts'],
      looking: false,
      more: false,
    });
    expect(seen(keys(like, 'pan'))).toContain('panes.ts');
    expect(seen(keys(like, 'pane'))).not.toContain('panes.ts');
    const many = Array.from({ length: 300 }, (_, at) => `f${at}.txt`);
    const state = reduce(settle(keys(start(), '@')).state, { type: 'files', folder: '/srv', paths: many, looking: false, more: true });
    expect(seen(state)).toContain('1 of 200+');
  });
});

describe('own commands', () => {
  test('"!" runs it and tells, "!!" does not tell; both are remembered, and a lone "!" is a prompt', () => {
    const run = (text: string) => press(keys(start(), text), START_MS, 'enter').effects;
    expect(run('!ls -l')).toEqual([
      { type: 'send', command: { type: 'command.run', text: 'ls -l', tell: true } },
      { type: 'remember', text: '!ls -l' },
    ]);
    expect(run('!! cat key')[0]).toEqual({ type: 'send', command: { type: 'command.run', text: 'cat key', tell: false } });
    expect(run('!')[0]).toMatchObject({ command: { type: 'prompt.submit' } });
  });

  test('its card shows what it printed, and Esc stops it before the prompt', () => {
    const events = [
      { type: 'task.started', task: '1', kind: 'prompt', text: 'x', pane: null },
      { type: 'task.started', task: '2', kind: 'command', text: 'ls', pane: '%1' },
      { type: 'tool.requested', task: '2', call: 'own-2', name: '!', preview: 'ls' },
      { type: 'tool.started', task: '2', call: 'own-2' },
    ] as const;
    const running = following(start(), ...events);
    const cancel = (task: string) => ({ type: 'send', command: { type: 'task.cancel', task } });
    expect(press(running, START_MS, 'escape', 'escape').effects).toEqual([cancel('2'), cancel('1')]);
    const ended = following(
      running,
      { type: 'tool.ended', task: '2', call: 'own-2', isError: false, text: 'a.txt\nb.txt', summary: 'exit 0', exitCode: 0, elapsedMs: 5 },
      { type: 'task.ended', task: '2', outcome: 'completed', exitCode: 0, error: null },
    );
    expect(seen(ended)).toContain('b.txt');
    expect(seen(ended)).toContain('exit 0');
    expect(seen(ended)).not.toContain('job 2');
  });
});
