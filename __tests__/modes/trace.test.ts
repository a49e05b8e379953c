/** What `buddy-tui trace` prints, whole; and what it says of a file that is no trace. */

import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatMoment } from '../../lib/base/duration.js';
import type { Host } from '../../lib/base/host.js';
import { parseCommandLine } from '../../lib/cli.js';
import { trace } from '../../lib/modes/trace.js';
import { linesOfFile } from '../../lib/modes/trace-file.js';
import { detailOf, entryOf } from '../../lib/view/trace-entry.js';
import { START_MS } from '../view/support/picture.js';
import { tracedLines, writeTrace } from './support/trace-lines.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trace-mode-'));
  file = writeTrace(join(folder, 't.jsonl'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the command line prints, without the moment of the run. */
async function printed(...args: readonly string[]): Promise<string> {
  const invocation = await parseCommandLine(['trace', ...args], '1', 80);
  if (invocation.kind !== 'trace') throw new Error(invocation.kind === 'printed' ? invocation.text : invocation.kind);
  let out = '';
  const stdout = { on: () => stdout, write: (text: string) => (out += text) };
  expect(await trace({ stdout } as unknown as Host, invocation)).toBe(0);
  return out.replaceAll(formatMoment(START_MS), 'THEN');
}

/** Lists in lists, and objects in lists in objects. */
const deep = ['['.repeat(20_000) + ']'.repeat(20_000), `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`];

test.each(deep)('a line that is nested without end is told with its place, and shown as it is', async (value) => {
  const line = `{"kind":"event","seq":1,"tsMs":1,"event":{"type":"warning","message":"x","more":${value}}}`;
  await expect(printed('summary', writeTrace(file, [line]))).rejects.toThrow('t.jsonl:1: it is nested too deep');
  expect(entryOf(line, true)).toMatchObject({ kind: 'bad' });
  expect(detailOf(line)[2]).toContain('{"kind":"event"');
});

test('a line as long as no trace has them ends the reading; whoever is forgiving goes on behind it', async () => {
  writeFileSync(file, '');
  truncateSync(file, 1 << 30);
  await expect(printed('summary', file)).rejects.toThrow('t.jsonl:1: it is longer than 128 MiB');
  truncateSync(file, 200 << 20);
  appendFileSync(file, '\nbehind it\ncut');
  const lines: unknown[] = [];
  for await (const line of linesOfFile(file)) lines.push(line);
  expect(lines).toEqual([
    { number: 1, text: null, ended: true },
    { number: 2, text: 'behind it', ended: true },
    { number: 3, text: 'cut', ended: false },
  ]);
}, 20_000);

test('summary', async () => {
  expect(await printed('summary', file)).toBe(`run of THEN: 9.0 s, buddy-tui 0.1.0, without a screen
2 turns · 2 answers · 4.5k in, 100 out, $0.0096 · 1 compaction · 1 retry · 20 lines

turns
  turn  prompt                    took  answers  calls    in  out     cost  ended
     1  how full are the disks?  5.0 s        2      1  4.5k  100  $0.0096  completed
     2  and ␛[31mred?            1.0 s        0      1     0    0           failed

models
  profile  model      answers    in  cached  out     cost
  gpt      gpt-codex        2  4.5k     200  100  $0.0096

tools
  tool       calls  failed   took  longest
  read_file      1       1  0.0 s    0.0 s
  run_shell      1          0.2 s    0.2 s

questions
  1 asked · 1 once by user · waited 3.0 s

trouble
  THEN  it is gone
`);
});

test('replay of a turn, as a person reads it', async () => {
  expect(await printed('replay', file, '--turn', '1')).toBe(`turn 1 of 2
THEN · completed after 5.0 s · 4.5k in (200 cached) · 100 out · $0.0096

  0.0 s  You: how full are
         the disks?
  0.0 s  Request 1: ~2.0k tokens
  0.5 s  Thought: I look first.
  0.5 s  Tool run_shell: df -h
  0.5 s  Question: run in pane %1, on this host in /srv
         | df -h
  3.5 s  You said yes (once)
  3.7 s  / 80%
         Ended: exit 0
  3.7 s  Request 2: ~2.3k tokens
  4.9 s  Answer:
         It is **80 %** full.
  5.0 s  Ended: completed
`);
  expect(await printed('replay', file, '--turn', '2')).toMatch(/You: and ␛\[31mred\?[\s\S]*it is gone/);
  await expect(printed('replay', file, '--turn', '3')).rejects.toThrow('there is no turn 3: the trace has 2 turns');
});

test('context-evolution', async () => {
  expect(await printed('context-evolution', file)).toBe(`models: gpt

request  turn  messages  estimated  counted  of the window
      1     1         1      ~2.0k     2.1k  █░░░░░░░░░░░░░░░░░░░ 1 % of 200k
      2     1         3      ~2.3k     2.4k  █░░░░░░░░░░░░░░░░░░░ 1 % of 200k
                                             summarised: 120k → 4.0k
      3     2                ~150k           ███████████████░░░░░ 75 % of 200k
`);
});

test('the same for programs', async () => {
  expect(JSON.parse(await printed('summary', file, '--json'))).toMatchObject({ lines: 20, turns: [{ number: 1 }, { outcome: 'failed' }] });
  expect(JSON.parse(await printed('context-evolution', file, '--json'))).toHaveLength(4);
  expect(JSON.parse(await printed('replay', file, '--turn', '2', '--json'))).toMatchObject({ number: 2, events: { length: 6 } });
});

test('two runs in one file are told apart, their turns counted on', async () => {
  writeTrace(file, [...tracedLines, ...tracedLines]);
  const out = await printed('summary', file);
  expect(out.match(/run of/g)).toHaveLength(2);
  expect(out).toContain('4 turns · 4 answers');
  expect(await printed('replay', file, '--turn', '3')).toContain('turn 3 of 4');
});

const [header = '', first = '', second = ''] = tracedLines;
test.each([
  ['{bad', 't.jsonl:2: it is no JSON'],
  ['', 't.jsonl:2: an empty line'],
  ['[]', 't.jsonl:2: it is no object'],
  ['{"tsMs":1,"kind":"what"}', 't.jsonl:2: "kind" is "what"'],
  ['{"tsMs":1,"kind":"event","seq":1,"event":{"type":"model.text","task":"1"}}', 't.jsonl:2: model.text: "text" is no string'],
  [
    '{"tsMs":1,"kind":"event","seq":1,"event":{"type":"model.answered","task":"1","message":{},"usage":null}}',
    'model.answered: "message" is none',
  ],
  ['{"tsMs":1,"kind":"header","trace":7,"program":"9","screen":null}', 't.jsonl:2: it is a trace of version 7; known is 1'],
])('a line that is none ends it: %s', async (line, words) => {
  writeTrace(file, [header, line, first]);
  await expect(printed('summary', file)).rejects.toThrow(words);
});

test('what comes twice, what is cut off, what is empty and what is not there', async () => {
  writeTrace(file, [header, first, second, first]);
  await expect(printed('summary', file)).rejects.toThrow('t.jsonl:4: "seq" is 1 after 2');
  writeFileSync(file, `${header}\n${first.slice(0, 40)}`);
  await expect(printed('summary', file)).rejects.toThrow('t.jsonl:2: the file ends within it (it is no JSON)');
  writeFileSync(file, '');
  await expect(printed('summary', file)).rejects.toThrow('is empty: nothing was recorded');
  await expect(printed('summary', join(folder, 'none'))).rejects.toThrow('no such file or folder');
  await expect(printed('summary', folder)).rejects.toThrow('it is no regular file');
});

test('a command line that is wrong is told in a sentence', async () => {
  await expect(printed()).rejects.toThrow('trace needs one of summary, replay, context-evolution, and a file');
  await expect(printed('summary')).rejects.toThrow('trace summary needs a file');
  await expect(printed('summary', 'a', 'b')).rejects.toThrow('"b" is no flag or subcommand');
  await expect(printed('replay', file)).rejects.toThrow('trace replay needs --turn N');
  await expect(printed('replay', file, '--turn', '0')).rejects.toThrow('--turn must be a number from 1 on');
  await expect(printed('summary', file, '--turn', '1')).rejects.toThrow('trace summary takes no --turn');
});
