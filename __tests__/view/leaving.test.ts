/** Leaving with a tmux session there: the question, its keys, and what is decided without asking. */

import { slashCommands, slashStep } from '../../lib/commands/index.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { PaneState, TargetSummary } from '../../lib/protocol/panes.js';
import { handleInput } from '../../lib/view/app.js';
import { keepsUnasked } from '../../lib/view/leaving.js';
import { reduce } from '../../lib/view/reducer.js';
import type { OnExit, State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const attach = 'tmux -L buddy attach -t buddy-agent-mo';
const target: TargetSummary = {
  kind: 'local',
  via: 'tmux',
  label: 'this host',
  host: 'web-01',
  user: 'root',
  cwd: '/srv',
  shell: 'bash',
  attach,
};
const apt: PaneState = { kind: 'running', program: 'apt', sinceMs: START_MS - 725_000 };
const job: RuntimeEvent = { type: 'task.started', task: '4', kind: 'job', text: 'apt upgrade -y\nsecond line', pane: '%1' };

/** A dashboard whose pane does that. */
function withPane(pane: PaneState, onExit: OnExit = 'ask', size = { cols: 80, rows: 24 }): State {
  const opened: readonly RuntimeEvent[] = [
    startedEvent(),
    { type: 'target.changed', target },
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.state', pane: '%1', state: pane, lastExit: null },
  ];
  return stateAfter(size.cols, size.rows, opened, { commands: slashCommands, onExit });
}

const ways = {
  'Ctrl+C twice': (state: State) => press(state, START_MS, 'C-c', 'C-c'),
  'Ctrl+D': (state: State) => press(state, START_MS, 'C-d'),
  '/quit': (state: State) => slashStep('/quit', state),
} as const;

describe.each(Object.entries(ways))('%s', (_name, way) => {
  test('asks when there is a session, and says what is in it', () => {
    const { state, effects } = way(withPane({ kind: 'idle' }));
    expect(effects).toEqual([]);
    const shown = seen(state);
    expect(shown).toContain('leave · tmux session buddy-agent-mo');
    expect(shown).toContain('pane shared  idle, nothing runs');
    expect(shown.split('\n').at(-1)).toContain('Enter keep it · e end it · Esc stay');
  });

  test.each([
    ['keep', true],
    ['kill', false],
  ] as const)('does not ask with on_exit = %s', (onExit, keep) => {
    expect(way(withPane({ kind: 'idle' }, onExit)).effects).toEqual([{ type: 'quit', keep }]);
  });

  test.each<PaneState>([{ kind: 'starting' }, { kind: 'dead', status: 1 }])('does not ask when there is no shell: $kind', (pane) => {
    expect(way(withPane(pane, 'keep')).effects).toEqual([{ type: 'quit', keep: false }]);
  });

  test('does not ask without tmux', () => {
    const state = following(withPane({ kind: 'idle' }, 'keep'), {
      type: 'target.changed',
      target: { ...target, via: 'direct', attach: null },
    });
    expect(way(state).effects).toEqual([{ type: 'quit', keep: false }]);
  });
});

describe('the question', () => {
  const asked = (pane: PaneState = { kind: 'idle' }): State => ways['Ctrl+D'](withPane(pane)).state;
  const shown = (state: State): State => reduce(state, { type: 'shown', nowMs: START_MS });

  test.each(['enter', 'k', 'C-c', 'C-d'])('%s keeps', (key) => {
    expect(press(asked(), START_MS, key).effects).toEqual([{ type: 'quit', keep: true }]);
  });

  test('e ends, Escape stays, and the next Ctrl+C begins anew', () => {
    expect(press(asked(), START_MS, 'e').effects).toEqual([{ type: 'quit', keep: false }]);
    const back = press(asked(), START_MS, 'escape');
    expect([back.effects, back.state.leaving]).toEqual([[], null]);
    expect(press(back.state, START_MS, 'C-c').state.leaving).toBeNull();
  });

  test('names what runs, with its time and its command', () => {
    const state = following(asked(apt), job);
    expect(seen(state)).toMatch(/pane shared {2}running apt 12:05 {2}apt upgrade -y +│/);
    expect(seen(state)).not.toContain('second line');
  });

  test('a key that was on its way ends nothing that runs', () => {
    expect(press(asked(apt), START_MS, 'e').effects).toEqual([]);
    expect(press(shown(asked(apt)), START_MS + 399, 'e').effects).toEqual([]);
    expect(press(shown(asked(apt)), START_MS + 400, 'e').effects).toEqual([{ type: 'quit', keep: false }]);
  });

  test('other keys, the mouse and a paste answer nothing', () => {
    let state = asked();
    for (const key of ['y', 'n', 'x', 'f6', 'tab', 'C-l', 'space', '?']) {
      const step = press(state, START_MS, key);
      expect([key, step.effects]).toEqual([key, []]);
      state = step.state;
    }
    const mouse = { type: 'mouse', action: 'press', button: 'left', x: 5, y: 5 } as const;
    expect(handleInput(state, mouse, START_MS)).toEqual({ state, effects: [] });
    const paste = handleInput(state, { type: 'paste', text: 'e\nk\n', complete: true }, START_MS);
    expect([paste.effects, paste.state.leaving !== null]).toEqual([[], true]);
  });

  test('lies over a question of the agent, which is neither seen nor answered meanwhile', () => {
    const request = {
      id: 'a',
      task: '3',
      call: 'c',
      tool: 'run_shell',
      title: 'run',
      target: 'web-01',
      cwd: '/srv',
      body: 'rm x',
      claim: null,
    } as const;
    const state = shown(following(asked(), { type: 'approval.requested', request }));
    expect(state.approval?.shownAtMs).toBeNull();
    expect(press(state, START_MS + 5000, 'y').effects).toEqual([]);
    expect(press(state, START_MS + 5000, 'escape').effects).toEqual([]);
  });

  test.each([
    [40, 10],
    [160, 45],
  ])('fits into %i×%i', (cols, rows) => {
    const state = following(ways['Ctrl+D'](withPane(apt, 'ask', { cols, rows })).state, job);
    for (const words of ['running apt', 'Enter keep', 'e     end', 'Esc   stay']) expect(seen(state)).toContain(words);
  });

  test('a window that is too small for it says its keys', () => {
    const state = ways['Ctrl+D'](withPane(apt, 'ask', { cols: 38, rows: 9 })).state;
    expect(seen(state)).toContain('Enter keeps');
  });
});

test('/quit keep and /quit end say it at once', () => {
  const state = withPane(apt);
  expect(slashStep('/quit keep', state).effects).toEqual([{ type: 'quit', keep: true }]);
  expect(slashStep('/quit end', state).effects).toEqual([{ type: 'quit', keep: false }]);
  expect(seen(slashStep('/quit now', state).state)).toContain('/quit knows keep and end, not "now".');
});

test.each<readonly [OnExit, PaneState, boolean]>([
  ['ask', apt, true],
  ['ask', { kind: 'password', program: 'sudo' }, true],
  ['ask', { kind: 'unknown-shell' }, true],
  ['ask', { kind: 'idle' }, false],
  ['keep', { kind: 'idle' }, true],
  ['keep', { kind: 'dead', status: 0 }, false],
  ['kill', apt, false],
])('nobody can be asked: on_exit = %s, %j: kept %s', (onExit, pane, kept) => {
  expect(keepsUnasked(withPane(pane, onExit))).toBe(kept);
});

test('nobody can be asked: a job in another pane counts as running', () => {
  expect(keepsUnasked(following(withPane({ kind: 'idle' }), { ...job, pane: '%2' }))).toBe(true);
});
