/** The demonstration: what it understands, what it calls, and that it reports only what the tools really answered. */

import { isAbort } from '../../lib/base/errors.js';
import { createDemoProvider } from '../../lib/models/demo/demo.js';
import { planFor } from '../../lib/models/demo/requests.js';
import type { ModelRequest } from '../../lib/models/provider.js';
import type { AssistantMessage, Message } from '../../lib/protocol/messages.js';
import { FakeClock } from '../support/fake-clock.js';
import { type Collected, collect } from './provider-under-test.js';

const TOOLS = ['run_shell', 'read_file', 'write_file', 'capture-pane', 'send-keys', 'time'];

function request(messages: readonly Message[], tools: readonly string[] = TOOLS): ModelRequest {
  return { instructions: '', messages, tools: tools.map((name) => ({ name, description: '', parameters: {} })), session: 's' };
}

async function answer(messages: readonly Message[], tools: readonly string[] = TOOLS): Promise<Collected> {
  const clock = new FakeClock();
  const provider = createDemoProvider({ profile: 'demo', model: 'demo', api: 'demo', contextTokens: 1000 }, clock);
  let done = false;
  const collected = collect(provider, request(messages, tools)).finally(() => {
    done = true;
  });
  while (!done) await clock.advance(1000);
  return collected;
}

function user(text: string): Message {
  return { role: 'user', text };
}

const CONTEXT = user('<terminal-now target="x">\nroot@x:~# run rm -rf /\n</terminal-now>');

function calls(text: string): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  return (planFor(text)?.calls ?? []).map(({ tool, args }) => [tool, args]);
}

describe('what it understands', () => {
  test.each([
    ['how full is the disk?', ['df -h']],
    ['disk usage', ['df -h']],
    ['how much space is left on this box', ['df -h']],
    ['memory', ['free -h']],
    ['how much RAM do I have?', ['free -h']],
    ['disk and memory', ['df -h', 'free -h']],
    ['what is the load?', ['uptime']],
    ['disk, memory and uptime please', ['df -h', 'free -h', 'uptime']],
    ['what is in /tmp', ['ls -la /tmp']],
    ["what's in ~/my-things?", ['ls -la ~/my-things']],
    ["list /srv/it's", ["ls -la '/srv/it'\\''s'"]],
    ['run uname -a', ['uname -a']],
    ['please run `echo "a b" | wc -c`', ['echo "a b" | wc -c']],
    ["run 'ls -l'", ['ls -l']],
    ['run "a" and "b"', ['"a" and "b"']],
    ['run for i in 1 2; do\n  echo $i\ndone', ['for i in 1 2; do\n  echo $i\ndone']],
    ['run df -h and tell me about memory', ['df -h and tell me about memory']],
  ])('%j', (text, commands) => {
    expect(calls(text).map(([tool, args]) => [tool, args['command']])).toEqual(commands.map((command) => ['run_shell', command]));
  });

  test('every command comes with what approval needs', () => {
    expect(calls('disk')).toEqual([
      [
        'run_shell',
        { command: 'df -h', wait: true, risk: 'low', mutation: false, privesc: false, why: 'df shows how full each file system is.' },
      ],
    ]);
    expect(calls('run sudo apt-get upgrade')[0]?.[1]).toMatchObject({ risk: 'high', mutation: true, privesc: true });
    expect(calls('run touch /tmp/x')[0]?.[1]).toMatchObject({ risk: 'medium', mutation: true, privesc: false });
    expect(calls('run cat /etc/hosts > /tmp/x')[0]?.[1]).toMatchObject({ mutation: true });
    expect(calls('run sleep 60 in the background')[0]?.[1]).toMatchObject({ command: 'sleep 60', wait: false });
  });

  test('files, the screen, the time', () => {
    expect(calls('read /etc/hostname')).toEqual([['read_file', { path: '/etc/hostname', why: expect.any(String) }]]);
    expect(calls('show me the file notes.txt?')).toEqual([['read_file', { path: 'notes.txt', why: expect.any(String) }]]);
    expect(calls('write hello world to /tmp/hello.txt')).toEqual([
      ['write_file', { path: '/tmp/hello.txt', content: 'hello world\n', why: expect.any(String) }],
    ]);
    expect(calls('what is on the screen?')).toEqual([['capture-pane', { why: expect.any(String) }]]);
    expect(calls('what time is it?')).toEqual([['time', { why: expect.any(String) }]]);
  });

  test('anything else, and help, explains itself', async () => {
    for (const text of ['help', 'write me a poem', '']) {
      const { done, text: shown } = await answer([user(text)]);
      expect(done.finish).toBe('stop');
      expect(shown).toBe(done.message.text);
      expect(shown).toMatch(/\*\*demo\*\*[\s\S]*OPENAI_API_KEY[\s\S]*\/model/);
    }
  });
});

describe('an answer', () => {
  test('a plan in several pieces, then the calls, numbered on through the conversation', async () => {
    const { deltas, done, text, reasoning } = await answer([user('disk and memory'), CONTEXT]);
    expect(deltas.filter(({ type }) => type === 'text').length).toBeGreaterThan(5);
    expect(text).toBe('I will check how full the disks are and how much memory is in use.');
    expect(reasoning).not.toBe('');
    expect(done).toMatchObject({ finish: 'tool-calls', message: { text, reasoning, incomplete: false } });
    expect(done.message.calls.map(({ id, name }) => [id, name])).toEqual([
      ['demo_1', 'run_shell'],
      ['demo_2', 'run_shell'],
    ]);
    const again = await answer([user('disk and memory'), done.message, user('uptime')]);
    expect(again.done.message.calls.map(({ id }) => id)).toEqual(['demo_3']);
  });

  test('a tool that is not offered is not called', async () => {
    const { done } = await answer([user('disk')], ['time']);
    expect(done).toMatchObject({
      finish: 'stop',
      message: { calls: [], text: 'That needs the tool `run_shell`, which is not available here.' },
    });
  });

  test('cancelling ends it at once', async () => {
    const clock = new FakeClock();
    const provider = createDemoProvider({ profile: 'demo', model: 'demo', api: 'demo', contextTokens: 1000 }, clock);
    const controller = new AbortController();
    const failed = collect(provider, request([user('help')]), controller.signal).catch((thrown: unknown) => thrown);
    await clock.advance(20);
    controller.abort();
    expect(isAbort(await failed)).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

describe('reports', () => {
  async function report(text: string, ...results: readonly (object | string)[]): Promise<string> {
    const plan = await answer([user(text)]);
    const asked: AssistantMessage = plan.done.message;
    const tools = asked.calls.map((call, at): Message => {
      const result = results[at];
      return {
        role: 'tool',
        callId: call.id,
        name: call.name,
        text: typeof result === 'string' ? result : JSON.stringify({ harness_timestamp: { source: 'harness', unix_millis: 1 }, result }),
        isError: typeof result === 'object' && 'error' in result,
      };
    });
    const { done, text: shown } = await answer([user(text), asked, ...tools, CONTEXT]);
    expect(done.message.calls).toEqual([]);
    return shown;
  }

  const DF = `Filesystem      Size  Used Avail Use% Mounted on
overlay          50G   20G   30G  40% /
tmpfs            64M     0   64M 100% /dev
/dev/sda1       100G   93G    7G  93% /var/log
/dev/sdb1       1.0T  100G  900G  10% /mnt/my data`;

  test('disk: the fullest one that is a disk', async () => {
    const shown = await report('disk', { status: 'exited', exit_code: 0, output: DF });
    expect(shown).toContain('**/var/log** at **93 %**: 93G of 100G used, 7G free. That is nearly full.');
    expect(shown).toContain('| /var/log | 100G | 93G | 7G | 93 % |\n| / | 50G | 20G | 30G | 40 % |');
    expect(shown).not.toContain('/dev');
  });

  test('two results, each with its own', async () => {
    const free =
      '               total        used        free      shared  buff/cache   available\nMem:            15Gi       3.2Gi       8.0Gi       1Mi       4.4Gi        12Gi\nSwap:             0B          0B          0B';
    const shown = await report(
      'disk and memory',
      { status: 'exited', exit_code: 0, output: DF },
      { status: 'exited', exit_code: 0, output: free },
    );
    expect(shown).toMatch(/\/var\/log[\s\S]*\*\*3\.2Gi\*\* of 15Gi memory is in use, \*\*12Gi\*\* is available\./);
  });

  test('load', async () => {
    const output = ' 12:00:01 up 3 days,  4:05,  2 users,  load average: 0.52, 0.58, 0.59';
    expect(await report('uptime', { status: 'exited', exit_code: 0, output })).toBe(
      'The machine has been up for 3 days,  4:05; its load was **0.52** over one minute, 0.58 over five and 0.59 over fifteen.',
    );
  });

  test('a denied call: nothing was run', async () => {
    for (const result of [{ error: 'The user said no; nothing ran.' }, { error: 'The user denied this call.' }, { status: 'denied' }]) {
      expect(await report('run uname -a', result)).toBe('You said no to `uname -a`, so nothing was run and nothing was changed.');
    }
  });

  test('kept from running by something else, and errors that only sound like a no', async () => {
    expect(await report('run uname -a', { error: 'The approval policy is "none": it was refused and nothing ran.' })).toBe(
      '`uname -a` was not run: The approval policy is "none": it was refused and nothing ran.',
    );
    expect(await report('run uname -a', { error: 'The user interrupted before it ran; nothing ran.' })).toBe('`uname -a` was cancelled.');
    expect(await report('read /root/x', { error: '/root/x: permission denied' })).toBe(
      '`/root/x` did not work: /root/x: permission denied',
    );
    expect(await report('run true', { status: 'refused', error: 'the pane is busy' })).toBe('`true` did not work: the pane is busy');
  });

  test('one denied, one done', async () => {
    const shown = await report(
      'disk and memory',
      { error: 'denied by the user' },
      { status: 'exited', exit_code: 127, output: 'free: not found\n' },
    );
    expect(shown).toBe(
      'You said no to `df -h`, so nothing was run and nothing was changed.\n\n`free -h` ended with exit code **127**.\n\n```\nfree: not found\n```',
    );
  });

  test('running, cancelled, lost, failed, silent', async () => {
    expect(await report('run sleep 9 in background', { status: 'running', output: '' })).toContain('goes on in the background');
    expect(await report('run sleep 9', { status: 'cancelled', output: '' })).toBe('`sleep 9` was cancelled.');
    expect(await report('run sleep 9', { status: 'lost', reason: 'the shell died' })).toBe('`sleep 9` did not work: the shell died');
    expect(await report('run true', { status: 'exited', exit_code: 0, output: '' })).toBe(
      '`true` ended with exit code **0** and printed nothing.',
    );
    expect(await report('run true', 'not JSON at all')).toContain('not JSON at all');
  });

  test('output cannot break out of its fence, and long output keeps its end', async () => {
    const shown = await report('run cat x', { status: 'exited', exit_code: 0, output: 'a\n```\n# b' });
    expect(shown).toBe('`cat x` ended with exit code **0**.\n\n````\na\n```\n# b\n````');
    const long = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join('\n');
    expect(await report('run seq', { status: 'exited', exit_code: 0, output: long })).toContain(
      'The last 12 of 40 lines:\n\n```\nline 29\n',
    );
  });

  test('a file, a screen', async () => {
    expect(await report('read /etc/hostname', { content: 'web-01\n' })).toBe('`/etc/hostname` holds:\n\n```\nweb-01\n```');
    expect(await report('what is on the screen', { text: 'root@x:~#' })).toBe('The pane shows:\n\n```\nroot@x:~#\n```');
    expect(await report('write a to /tmp/b', { written: 2 })).toBe('`/tmp/b` is written.');
    expect(await report('what time is it', { iso_8601_utc: '2026-01-02T03:04:05Z' })).toBe('It is **2026-01-02 03:04:05 UTC**.');
    expect(await report('read /gone', { error: 'no such file' })).toBe('`/gone` did not work: no such file');
  });
});

test('a transcript is summarised by rule: what was called, and how it ended', async () => {
  const transcript = [
    '<transcript>',
    '[user] run rm -rf /tmp/x',
    '[call run_shell] {"command":"df -h","risk":"low"}',
    '[call read_file] {"path":"/etc/hosts"}',
    '[result of run_shell, an error] {"result":{"status":"exited","exit_code":1}}',
    '[result of read_file] {"result":{"content":"x"}}',
    '[call run_shell] {"command":"uptime"}',
    '[result of run_shell] {"result":{"status":"exited","exit_code":0}}',
    '</transcript>',
  ].join('\n');
  const { done } = await answer([user(transcript)], []);
  expect(done.message.calls).toEqual([]);
  expect(done.message.text).toBe('## Done\n- run_shell `df -h`: exit code 1\n- read_file `/etc/hosts`\n- run_shell `uptime`: exit code 0');
  expect((await answer([user('<transcript>\n[user] hello\n</transcript>')], [])).done.message.text).toBe('## Done\nNothing but words.');
});
