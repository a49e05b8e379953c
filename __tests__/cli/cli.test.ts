/** The command line: what is understood, and how what is not is told. */

import { parseCommandLine } from '../../lib/cli.js';
import { defaultOptions, subcommandRows } from '../../lib/cli-options.js';

const parse = (...argv: readonly string[]) => parseCommandLine(argv, '1.2.3', 80);

test.each([
  [['-c', 'a', '-m', 'b'], { config: 'a', model: 'b' }],
  [['--base-url', 'http://x/v1', '--tmux', 'main'], { baseUrl: 'http://x/v1', tmux: 'main' }],
  [['-e', 'a.ts', '--extension', 'b', '--no-extensions'], { extensionPaths: ['a.ts', 'b'], extensions: false }],
  [
    ['--tools', 'a, b', '--tools=c', '--exclude-tools', 'd,', '--no-builtin-tools'],
    { tools: ['a', 'b', 'c'], excludeTools: ['d'], builtinTools: false },
  ],
  [['--no-color', '-vv', '--trace', 't'], { color: false, verbose: 2, trace: 't' }],
  [['--direct'], { direct: true }],
  [['-c', 'a', '-c', 'b'], { config: 'b' }],
])('%j opens the dashboard', async (argv, options) => {
  expect(await parse(...argv)).toEqual({ kind: 'dashboard', options: { ...defaultOptions, ...options } });
});

test.each([
  [['exec', 'what', 'is up'], 'what is up'],
  [['exec', '12', '0x10'], '12 0x10'],
  [['exec', '--', '-x', '--y'], '-x --y'],
  [['-m', 'z', 'exec', 'go'], 'go'],
  [['exec'], ''],
])('%j is a prompt for exec', async (argv, prompt) => {
  expect(await parse(...argv)).toMatchObject({ kind: 'exec', prompt, autoApprove: false, json: false });
});

test('flags of exec belong to exec', async () => {
  expect(await parse('exec', '--json', '--dangerously-auto-approve', 'x')).toMatchObject({ kind: 'exec', json: true, autoApprove: true });
  expect(await parse('--json')).toMatchObject({ kind: 'printed', code: 2 });
});

test.each([
  [['resume'], ''],
  [['resume', 'ab-12'], 'ab-12'],
  [['resume', '--last'], 'last'],
  [['-m', 'z', 'resume', '1234'], '1234'],
])('%j goes on in a session', async (argv, session) => {
  expect(await parse(...argv)).toMatchObject({ kind: 'resume', session });
});

test('keys is the tester; with --list, which is its own, the list', async () => {
  expect(await parse('keys')).toEqual({ kind: 'keys', options: defaultOptions, list: false });
  expect(await parse('keys', '--list', '--no-color')).toMatchObject({ kind: 'keys', list: true, options: { color: false } });
  expect(await parse('--list')).toMatchObject({ kind: 'printed', code: 2 });
});

test('trust takes a folder, and either shows, asks or forgets', async () => {
  expect(await parse('trust')).toEqual({ kind: 'trust', options: defaultOptions, folder: '', show: false, revoke: false });
  expect(await parse('trust', '--show', '/srv/x')).toMatchObject({ kind: 'trust', folder: '/srv/x', show: true, revoke: false });
  expect(await parse('trust', '--revoke', './-x')).toMatchObject({ kind: 'trust', folder: './-x', show: false, revoke: true });
});

test.each(['--dangerously-auto-approve', '--config=/tmp/x', '-mx', '--trace=/tmp/x --ssh host'])(
  'behind -- %s is part of the prompt and no flag',
  async (words) => {
    expect(await parse('exec', '--', words)).toMatchObject({ kind: 'exec', options: defaultOptions, autoApprove: false, prompt: words });
  },
);

test.each([
  [['trust', 'a', 'b'], '"b" is no flag or subcommand'],
  [['trust', '--show', '--revoke'], '--show and --revoke exclude each other'],
  [['--revoke'], '"revoke" is no flag'],
  [['--nope'], '"nope" is no flag or subcommand'],
  [['--trcae', 'x'], 'did you mean --trace?'],
  [['exce', 'x'], 'did you mean exec?'],
  [['resume', 'a', '--last'], 'resume takes a session or --last, not both'],
  [['--last'], '"last" is no flag'],
  [['-c'], 'Not enough arguments following: c'],
  [['--config='], '--config needs a FILE'],
])('%j is refused', async (argv, sentence) => {
  const printed = await parse(...argv);
  expect(printed).toMatchObject({ kind: 'printed', code: 2, text: expect.stringContaining(sentence) });
});

test('help and version are printed with success', async () => {
  for (const argv of [['help'], ['--help'], ['-h'], ['exec', '--help']]) {
    expect(await parse(...argv)).toMatchObject({ kind: 'printed', code: 0, text: expect.stringContaining('exec') });
  }
  expect(await parse('-V')).toMatchObject({ kind: 'printed', code: 0, text: '1.2.3\n' });
});

test('the help tells every subcommand, each of them once', async () => {
  const { text } = (await parse('help')) as { readonly text: string };
  for (const { usage } of subcommandRows) {
    const line = `buddy-tui ${usage}`.replace(' $0', '');
    expect(text.split('\n').filter((printed) => printed === line || printed.trimStart().startsWith(`${line}  `))).toHaveLength(1);
  }
});

test('exec keeps a session when one is named', async () => {
  expect(await parse('exec', 'x')).toMatchObject({ kind: 'exec', session: null });
  expect(await parse('exec', '--session', 'last', 'x')).toMatchObject({ kind: 'exec', session: 'last', prompt: 'x' });
  expect(await parse('--session', 'last')).toMatchObject({ kind: 'printed', code: 2 });
});

test('rpc takes flags and no words', async () => {
  expect(await parse('rpc')).toEqual({ kind: 'rpc', options: defaultOptions, session: null, wait: false });
  expect(await parse('rpc', '--session', 'last', '--wait')).toMatchObject({ kind: 'rpc', session: 'last', wait: true });
  expect(await parse('rpc', 'hello')).toMatchObject({ kind: 'printed', code: 2, text: expect.stringContaining('"hello" is no flag') });
  expect(await parse('exec', '--wait', 'x')).toMatchObject({ kind: 'printed', code: 2 });
});
