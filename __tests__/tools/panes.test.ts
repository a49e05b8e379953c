/** Tools in panes: which one is meant, what may be typed at a prompt, what is made and ended. */

import { defaultDenylist } from '../../lib/policy/shell-command.js';
import type { PaneInfo } from '../../lib/targets/target.js';
import { tools } from '../../lib/tools/all.js';
import type { ReviewContext, Tool, ToolContext } from '../../lib/tools/tool.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget, sharedPane } from '../support/fake-target.js';
import { judge } from '../support/judging.js';

const claim = { risk: 'low', mutation: false, privesc: false, why: 'to test' };
const build: PaneInfo = { ...sharedPane, pane: '%2', title: 'build', cwd: '/build', isDefault: false };
const tool = (name: string): Tool => {
  const found = tools.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

function withPanes(...panes: readonly PaneInfo[]) {
  const fake = fakeTarget(undefined, { screen: '', panes: panes.length === 0 ? [sharedPane, build] : panes });
  const reviewing: ReviewContext = {
    target: fake.target,
    denylist: defaultDenylist,
    allowedPaths: [],
    homeDir: '/home/ann',
    confirmShell: true,
    judge,
  };
  const clock = new FakeClock();
  const context: ToolContext = {
    ...{ signal: new AbortController().signal, clock, target: fake.target, denylist: defaultDenylist },
    ...{ judge, caution: 'policy' },
    report: () => undefined,
    background: () => '7',
  };
  const review = (name: string, args: object) => tool(name).review(tool(name).parse({ ...args, ...claim }), reviewing);
  const run = (name: string, args: object) => tool(name).run(tool(name).parse({ ...args, ...claim }), context);
  return { fake, clock, review, run };
}

test('run_shell says in which pane it will run, and a yes is for that pane only', () => {
  const { review } = withPanes();
  const shared = review('run_shell', { command: 'make' });
  const other = review('run_shell', { command: 'make', pane: 'build' });
  expect(shared).toMatchObject({ kind: 'ask', title: 'run', pane: undefined });
  expect(other).toMatchObject({ kind: 'ask', title: 'run in the pane build (%2) of buddy-test', body: 'make', pane: '%2' });
  expect(shared.kind === 'ask' && other.kind === 'ask' && shared.like === other.like).toBe(false);
  expect(review('run_shell', { command: 'make', pane: 'shared' })).toEqual(shared);
  expect(() => review('run_shell', { command: 'make', pane: 'nowhere' })).toThrow('there is no pane "nowhere"');
});

test('without tmux a selector is a fault', () => {
  const { target } = fakeTarget();
  const shell = tool('run_shell');
  const reviewing: ReviewContext = { target, denylist: [], allowedPaths: [], homeDir: '/', confirmShell: true, judge };
  expect(() => shell.review(shell.parse({ command: 'x', pane: 'build', ...claim }), reviewing)).toThrow('this target has no tmux');
});

describe('send-keys at a shell prompt', () => {
  test('is judged like a command', () => {
    const { review } = withPanes();
    expect(review('send-keys', { literal_text: 'mkfs /dev/sda' })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('denylist'),
    });
    expect(review('send-keys', { literal_text: 'exit', enter: true })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('subshell'),
    });
    expect(review('send-keys', { literal_text: 'ls', enter: true })).toMatchObject({
      kind: 'ask',
      title: 'type into the shared pane, at the shell prompt',
      body: 'ls <Enter>',
    });
  });

  test.each(['Up', 'Tab', 'C-r', 'C-p', 'C-o'])('%s with Enter would run a line that nobody has seen', (key) => {
    const { review } = withPanes();
    expect(review('send-keys', { keys: [key, 'Enter'] })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('nobody has seen'),
    });
  });

  test('what stands at the prompt is judged and shown with it', () => {
    const { review } = withPanes({ ...sharedPane, halfTyped: 'mkf' });
    expect(review('send-keys', { literal_text: 's /dev/sda' })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('denylist'),
    });
    expect(review('send-keys', { enter: true })).toMatchObject({ kind: 'ask', body: '(after what stands at the prompt: mkf) <Enter>' });
    const standing = withPanes({ ...sharedPane, halfTyped: 'exit' });
    expect(standing.review('send-keys', { enter: true })).toMatchObject({ kind: 'deny', reason: expect.stringContaining('subshell') });
  });

  test('a program in the pane gets any key; when it has ended meanwhile nothing is typed', async () => {
    const vim: PaneInfo = { ...sharedPane, state: { kind: 'fullscreen', program: 'vim', sinceMs: 0 } };
    const { review } = withPanes(vim);
    expect(review('send-keys', { keys: ['Up', 'Enter'] })).toMatchObject({ kind: 'ask', title: 'type into the shared pane' });
    const ended = withPanes();
    await expect(ended.run('send-keys', { keys: ['Up', 'Enter'] })).rejects.toThrow('nothing was typed');
    expect(ended.fake.typed).toEqual([]);
  });
});

test('a delay waits before it looks or types, and is bounded', async () => {
  const { clock, fake, run } = withPanes();
  const typing = run('send-keys', { literal_text: 'x', delay: '500ms' });
  await clock.advance(499);
  expect(fake.typed).toEqual([]);
  await clock.advance(1);
  await typing;
  expect(fake.typed).toEqual(['x']);
  for (const delay of [-1, 'soon', 61, '2m', {}]) expect(() => tool('capture-pane').parse({ delay, why: 'w' })).toThrow('"delay" must be');
  expect(() => tool('capture-pane').parse({ delay: 0, why: 'w' })).not.toThrow();
});

test.each([
  ['tmux-create-pane', { pane: 'logs' }, 'make a tmux pane', 'logs', 'create pane logs'],
  ['tmux-kill-pane', { pane: 'logs', session: 'deploy' }, 'end the tmux pane', 'logs in deploy', 'kill pane logs'],
  ['tmux-create-session', { session: 'deploy' }, 'make a tmux session', 'deploy', 'create session deploy'],
  ['tmux-kill-session', { session: 'deploy' }, 'end the tmux session', 'deploy', 'kill session deploy'],
])('%s asks, then does it', async (name, args, title, body, logged) => {
  const { fake, review, run } = withPanes();
  expect(review(name, args)).toMatchObject({ kind: 'ask', title, body, claim });
  expect(await run(name, args)).toMatchObject({ isError: false });
  expect(fake.log).toEqual([logged]);
});
