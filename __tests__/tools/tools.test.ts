/** Every tool keeps the contract, and each does what its arguments say. */

import { defaultDenylist } from '../../lib/policy/shell-command.js';
import { tools } from '../../lib/tools/all.js';
import { bytesOfKey } from '../../lib/tools/send-keys.js';
import type { ReviewContext, Tool, ToolContext } from '../../lib/tools/tool.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget } from '../support/fake-target.js';
import { judge } from '../support/judging.js';

const claim = { risk: 'low', mutation: false, privesc: false, why: 'to test' };
const reviewing = (target = fakeTarget().target): ReviewContext => ({
  target,
  denylist: defaultDenylist,
  allowedPaths: [],
  homeDir: '/home/ann',
  confirmShell: true,
  judge,
});
const tool = (name: string): Tool => {
  const found = tools.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};
const running = (fake = fakeTarget()): ToolContext => ({
  signal: new AbortController().signal,
  clock: new FakeClock(),
  target: fake.target,
  denylist: defaultDenylist,
  judge,
  caution: 'policy',
  report: () => undefined,
  background: () => '7',
});

describe.each(tools.map((entry) => [entry.name, entry] as const))('%s', (_name, entry) => {
  test('has a schema whose required names exist, and says what it does', () => {
    const { properties, required = [] } = entry.parameters as { properties: Record<string, unknown>; required?: readonly string[] };
    for (const name of required) expect(properties).toHaveProperty(name);
    expect(entry.description).toMatch(/\.$/);
  });

  test('refuses arguments that are no object, in a sentence', () => {
    expect(() => entry.parse([1])).toThrow('one JSON object');
  });

  test('names what is missing', () => {
    const { required = [] } = entry.parameters as { required?: readonly string[] };
    if (required.length > 0) expect(() => entry.parse({})).toThrow(/required|give/);
  });
});

test('tools with effects ask with every byte that acts', () => {
  const command = "printf 'a\\n'   # comment";
  const shell = tool('run_shell');
  expect(shell.review(shell.parse({ command, ...claim }), reviewing())).toMatchObject({ kind: 'ask', body: command });
  const write = tool('write_file');
  expect(write.review(write.parse({ path: 'x', content: 'bytes', why: 'w' }), reviewing())).toMatchObject({
    kind: 'ask',
    title: 'write /srv/x',
    body: 'bytes',
  });
  const keys = tool('send-keys');
  expect(keys.review(keys.parse({ literal_text: 'yes', keys: ['Tab'], enter: true, ...claim }), reviewing())).toMatchObject({
    kind: 'ask',
    body: 'yes <Tab> <Enter>',
  });
});

test('write_file judges the path behind dots and the home sign', () => {
  const write = tool('write_file');
  for (const path of ['../etc/passwd', '/srv/../etc/passwd', '~/.ssh/authorized_keys']) {
    expect(write.review(write.parse({ path, content: '', why: 'w' }), reviewing())).toMatchObject({ kind: 'deny' });
  }
});

test.each([
  [undefined, { kind: 'exit' }],
  [true, { kind: 'exit' }],
  [false, { kind: 'none' }],
  ['10m', { kind: 'for', ms: 600_000 }],
  [5, { kind: 'for', ms: 5000 }],
])('wait %j', (wait, expected) => {
  const shell = tool('run_shell');
  expect(shell.parse({ command: 'x', wait, ...claim })).toMatchObject({ wait: expected });
});

test('a wait that is none is a fault', () => {
  expect(() => tool('run_shell').parse({ command: 'x', wait: 'soon', ...claim })).toThrow('"wait" must be');
});

test('write_file and send-keys do what was shown', async () => {
  const fake = fakeTarget(undefined, { screen: 'name? ' });
  const write = tool('write_file');
  await write.run(write.parse({ path: '/x', content: 'é', why: 'w' }), running(fake));
  expect(fake.files.get('/x')).toEqual(Buffer.from('é'));
  const keys = tool('send-keys');
  await keys.run(keys.parse({ literal_text: 'bob', keys: ['C-c'], enter: true, ...claim }), running(fake));
  expect(fake.typed).toEqual(['bob\x03\r']);
});

test('keys have names from a closed table', () => {
  expect(bytesOfKey('C-d')).toBe('\x04');
  expect(bytesOfKey('Up')).toBe('\x1b[A');
  expect(bytesOfKey('C-é')).toBeNull();
  expect(() => tool('send-keys').parse({ keys: ['Boom'], ...claim })).toThrow('"Boom" is no key name');
});
