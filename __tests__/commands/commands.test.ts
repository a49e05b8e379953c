/** Slash commands: what they say and what they send; and their completion in the draft. */

import { runSlash, slashCommands, slashStep } from '../../lib/commands/index.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { draftOf } from '../../lib/view/editor/model.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const prompt: RuntimeEvent = { type: 'task.started', task: '3', kind: 'prompt', text: 'why?', pane: null };
const job: RuntimeEvent = { type: 'task.started', task: '4', kind: 'job', text: 'apt upgrade', pane: '%2' };
const idle = (): State => stateAfter(100, 30, [startedEvent()], { commands: slashCommands });
const busy = (): State => following(idle(), prompt, job);

const said = (line: string, state: State): string =>
  runSlash(line, state)
    .notices.map((notice) => notice.text)
    .join('\n');
const sends = (line: string, state: State): unknown => runSlash(line, state).sends;

test.each<readonly [string, unknown]>([
  ['/kill 4', { type: 'task.cancel', task: '4' }],
  ['/kill #4', { type: 'task.cancel', task: '4' }],
  ['/timeout 10m', { type: 'task.deadline', task: '3', afterMs: 600_000 }],
  ['/timeout 90 4', { type: 'task.deadline', task: '4', afterMs: 90_000 }],
  ['/timeout off 4', { type: 'task.deadline', task: '4', afterMs: null }],
  ['/context', { type: 'context.tell' }],
  ['/approve all', { type: 'approval.policy', policy: { kind: 'all' } }],
  ['/approve ask', { type: 'approval.policy', policy: { kind: 'ask' } }],
  ['/approve none', { type: 'approval.policy', policy: { kind: 'none' } }],
])('%s', (line, command) => {
  expect(sends(line, busy())).toEqual([command]);
});

test('/attach lends the terminal to the attach line of the pane, and says why when it cannot', () => {
  const line = 'tmux -L buddy attach -t buddy-agent-mo';
  expect(said('/attach', idle())).toBe('There is no tmux here to attach to.');
  const target = { kind: 'local', via: 'tmux', label: 'this host', host: 'h', user: 'u', cwd: '/', shell: 'sh', attach: line } as const;
  const started = following(idle(), { type: 'target.changed', target });
  expect(said('/attach', started)).toBe('There is no pane now; the next command starts a new one.');
  const opened = following(started, { type: 'pane.opened', pane: '%1', title: 'shared' });
  expect(runSlash('/attach', opened).effects).toEqual([{ type: 'attach', pane: '%1', line }]);
});

test('/reconnect asks for the terminal where there is a connection, and says why when there is none', () => {
  const target = { kind: 'ssh', via: 'tmux', label: 'web (ssh)', host: 'h', user: 'u', cwd: '/', shell: 'sh', attach: null } as const;
  expect(runSlash('/reconnect', following(idle(), { type: 'target.changed', target })).effects).toEqual([{ type: 'reconnect' }]);
  expect(said('/reconnect', idle())).toBe('Commands run on this host: there is no connection.');
});

test('/status tells what the session took, not what came before it', () => {
  const message = { role: 'assistant', text: 'so', reasoning: '', calls: [], extras: {}, incomplete: false } as const;
  const answered = (inputTokens: number): RuntimeEvent => ({
    type: 'model.answered',
    task: '3',
    message,
    usage: { inputTokens, outputTokens: 100, cachedTokens: 500, reasoningTokens: null },
  });
  const prices = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: null };
  const priced = startedEvent({ profile: 'gpt', model: 'gpt-codex', api: 'chat', contextTokens: 200_000, prices });
  const before = following(stateAfter(100, 30, [priced], { commands: slashCommands }), prompt, answered(9000));
  const state = following(before, { type: 'session.started', session: 's2' }, prompt, answered(1000), answered(2000));
  expect(said('/status', state)).toContain('usage    3.0k in (1.0k cached) · 200 out\ncost     $0.0041\n');
  const resumed = following(state, { type: 'session.resumed', session: 's0', name: null, copyOf: null, past: [] });
  expect(said('/status', resumed)).toContain('usage    none yet');
  expect(said('/status', following(resumed, prompt, answered(700)))).toContain('usage    700 in (500 cached) · 100 out\n');
  const free = following(idle(), prompt, { type: 'model.requested', task: '3', iteration: 1, estimatedTokens: 700 }, {
    ...answered(1),
    usage: null,
  } as RuntimeEvent);
  expect(said('/status', free)).toContain('usage    ~700 in · ~1 out\ncost     not known: this model has no price\n');
});

test('/approve with a duration ends by itself', () => {
  const state = idle();
  expect(sends('/approve 5m', state)).toEqual([{ type: 'approval.policy', policy: { kind: 'until', untilMs: state.nowMs + 300_000 } }]);
});

test.each([
  ['/model demo', 'demo'],
  ['/model 2', 'demo'],
])('%s switches', (line, profile) => {
  expect(sends(line, idle())).toEqual([{ type: 'model.switch', profile }]);
});

test.each([
  ['/kill', 'Which one?'],
  ['/kill 99', 'No running task has the id "99"; running: #3, #4.'],
  ['/timeout', 'How long?'],
  ['/timeout soon', '"soon" is not a duration'],
  ['/approve maybe', '"maybe" is no approval policy. Write ask, all, none or a duration such as 10m.'],
  ['/rules', 'There are no rules. In a question, p makes one.'],
  ['/rules list', 'There are no rules.'],
  ['/rules forget', 'Write /rules, or /rules forget and the id of one.'],
  ['/rules forget r9', 'There is no rule "r9".'],
  ['/statsu', 'There is no command /statsu. Did you mean /status?'],
  ['/xyzzy', 'There is no command /xyzzy. All of them: /help'],
  ['/model gpt', '/model waits until the running prompt has ended; Esc interrupts it.'],
  ['/ps', '#3  prompt'],
  ['/ps', '#4  job  0.0 s, pane %2  apt upgrade'],
])('%s says: %s', (line, words) => {
  expect(said(line, busy())).toContain(words);
  expect(sends(line, busy())).toEqual([]);
});

test('when nothing runs', () => {
  expect(said('/ps', idle())).toBe('Nothing runs.');
  expect(said('/kill 1', idle())).toBe('Nothing runs.');
  expect(said('/timeout 5m', idle())).toBe('Nothing runs.');
  expect(said('/model nope', idle())).toBe('There is no model profile "nope". Known: gpt, demo.');
  expect(said('/model demp', idle())).toBe('There is no model profile "demp". Did you mean demo?');
});

test('/model alone opens the list', () => {
  expect(slashStep('/model', idle()).state.picker).toMatchObject({ kind: 'model', query: '' });
});

test('while a prompt runs: exactly these', () => {
  const waits = slashCommands.filter((command) => !command.whileBusy).map((command) => command.name);
  expect(waits).toEqual(['compact', 'effort', 'fork', 'login', 'logout', 'model', 'reload', 'resume', 'session', 'tree']);
});

test('/status tells what is known', () => {
  const state = following(busy(), { type: 'metrics.context', usedTokens: 50_000, windowTokens: 200_000 });
  expect(said('/status', state).split('\n')).toEqual([
    'agent    buddy 0.1.0',
    'session  s1',
    'model    gpt: gpt-codex (chat)',
    'target   this host as root, tmux, /srv',
    'config   no file: the defaults',
    'approve  ask: everything that changes something is asked about',
    'context  50000 of 200000 tokens',
    'usage    none yet',
    'cost     none yet',
    'tasks    2 running, 0 queued',
  ]);
});

test.each(['/quit', '/exit', '/q', '/q  '])('%s leaves', (line) => {
  expect(slashStep(line, busy()).effects).toEqual([{ type: 'quit', keep: false }]);
});

test.each(['/help', '/'])('%s opens help, with the commands in it', (line) => {
  const { state } = slashStep(line, idle());
  const pages = press(state, START_MS, ...Array<string>(60).fill('pagedown')).state;
  expect(seen(pages)).toContain('/timeout <dur> [id]');
});

test('what a command says stands in the conversation', () => {
  expect(seen(slashStep('/ps', idle()).state)).toContain('· Nothing runs.');
});

test('the table: names are unique, everything says what it does', () => {
  const names = slashCommands.flatMap((command) => [command.name, ...command.aliases]);
  expect(new Set(names).size).toBe(names.length);
  expect(slashCommands.filter((command) => command.says === '')).toEqual([]);
});

describe('completion', () => {
  test('lists names, arguments and what they do', () => {
    for (const command of slashCommands) {
      const text = seen(press(idle(), START_MS, '/', ...command.name).state);
      expect(text).toMatch(new RegExp(`/${command.name} .*${command.says.slice(0, 20)}`));
    }
  });

  test('the list scrolls with the choice', () => {
    const { state } = press(idle(), START_MS, '/', ...slashCommands.slice(1).map(() => 'down'));
    expect(seen(state)).toContain(`/${slashCommands.at(-1)?.name} `);
  });

  test('Tab takes the choice, Down the next one', () => {
    expect(draftOf(press(idle(), START_MS, '/', 't', 'i', 'tab').state.editor)).toBe('/timeout ');
    expect(draftOf(press(idle(), START_MS, '/', 'down', 'tab').state.editor)).toBe('/attach');
  });

  test('Enter runs a choice that needs no more, else fills it in', () => {
    expect(press(idle(), START_MS, '/', 's', 't', 'enter').effects[0]).toEqual({ type: 'slash', line: '/status' });
    const fill = press(idle(), START_MS, '/', 'k', 'enter');
    expect([fill.effects, draftOf(fill.state.editor)]).toEqual([[], '/kill ']);
  });

  test('arguments are completed from what runs', () => {
    const { state } = press(busy(), START_MS, ...'/kill'.split(''), 'space');
    expect(seen(state)).toMatch(/ 4 +apt upgrade/);
    expect(press(state, START_MS, 'down', 'enter').effects[0]).toEqual({ type: 'slash', line: '/kill 4' });
  });

  test('Esc closes the list and interrupts nothing', () => {
    const { state, effects } = press(busy(), START_MS, '/', 'escape');
    expect(effects).toEqual([]);
    expect(seen(state)).not.toContain('/timeout');
    expect(press(state, START_MS, 'enter').effects[0]).toEqual({ type: 'slash', line: '/' });
  });

  test('a text that begins with a path is a prompt', () => {
    const { effects } = press(idle(), START_MS, ...'/etc/hosts'.split(''), 'enter');
    expect(effects[0]).toEqual({ type: 'send', command: { type: 'prompt.submit', text: '/etc/hosts' } });
  });
});
