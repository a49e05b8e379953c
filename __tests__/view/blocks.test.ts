/** The blocks of the conversation as a person sees them, at three sizes. `BUDDY_GOLDEN=write` writes them anew. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();

const document = `# Disk of web-01

The disk is **78 %** *full*, ~~not 90 %~~; see [the manual](https://example.org/apt), \`df -h\` &amp; <https://x.example>.
Hard break here\\
and on it goes. ![chart](img.png)

| folder | size | what it is for, in a few words |
|:---|--:|:---:|
| /var/log | 14 GB | journals, and what rotates |
| /var/日本語 | 1.2 GB | nobody knows 👩‍👩‍👧 |

3. Shrink the journal:
   \`\`\`sh
   # keep half a gigabyte
   journalctl --vacuum-size=500M && echo "done $?"
   \`\`\`
4. Then
   - [x] look at *old* kernels
   - [ ] remove them
     - only the oldest

> Nothing was changed.
> > Nor will it be.

---

\`\`\`yaml
disk:
  - path: /var   # the full one
    used: 78
\`\`\`

<details>html is text</details>
`;

const prompt = (task: string, text: string): RuntimeEvent => ({ type: 'task.started', task, kind: 'prompt', text, pane: null });
const requested = (call: string, name: string, preview: string): RuntimeEvent => ({
  type: 'tool.requested',
  task: '1',
  call,
  name,
  preview,
});
const started = (call: string): RuntimeEvent => ({ type: 'tool.started', task: '1', call });
const ended = (call: string, text: string, summary: string, exitCode: number | null, isError = false): RuntimeEvent => ({
  type: 'tool.ended',
  task: '1',
  call,
  isError,
  text,
  summary,
  exitCode,
  elapsedMs: 1800,
});
const config = Array.from({ length: 24 }, (_, i) => `option_${i} = ${i * 3}\n`).join('');

const calls: readonly RuntimeEvent[] = [
  prompt('1', 'make the option larger'),
  { type: 'model.reasoning', task: '1', text: 'The option stands in the file; I read it first and then write it with another number.' },
  requested('c1', 'run_shell', 'grep -n option_9 /srv/app.conf\necho done'),
  started('c1'),
  { type: 'tool.output', task: '1', call: 'c1', text: '10:option_9 = 27\ndone\n' },
  ended('c1', '10:option_9 = 27\ndone\n', 'exit 0 · 1.8 s · 2 lines', 0),
  requested('c2', 'write_file', '/srv/app.conf (379 B)'),
  {
    type: 'tool.started',
    task: '1',
    call: 'c2',
    diff: { path: '/srv/app.conf', before: config, after: config.replace('option_9 = 27', 'option_9 = 270 # larger') },
  },
  ended('c2', 'wrote /srv/app.conf', 'wrote 390 B', null),
  requested('c3', 'run_shell', 'systemctl restart app'),
  started('c3'),
  ended('c3', 'Job for app.service failed.\n', 'exit 1 · 0.4 s · 1 line', 1),
  requested('c4', 'run_shell', 'reboot'),
  ended('c4', 'The user said no; nothing ran.', 'denied', null, true),
  requested('c5', 'run_shell', 'journalctl -fu app'),
  started('c5'),
  { type: 'tool.output', task: '1', call: 'c5', text: Array.from({ length: 9 }, (_, i) => `Nov 28 app[1]: line ${i}\n`).join('') },
];

const times: readonly RuntimeEvent[] = [
  prompt('1', 'first question'),
  { type: 'model.text', task: '1', text: 'A short answer.' },
  { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null },
  { type: 'context.compacted', tokensBefore: 182_000, tokensAfter: 21_000 },
  { type: 'session.started', session: 's2' },
  prompt('2', 'second question'),
  { type: 'task.steered', task: '2', text: 'in one sentence' },
  { type: 'warning', message: 'The context is 80 % full.' },
  {
    type: 'model.retrying',
    task: '2',
    attempt: 1,
    attempts: 3,
    atMs: START_MS + 49_000,
    reason: 'HTTP 503 from api.example.org: overloaded',
  },
];

const thinking: readonly RuntimeEvent[] = [
  prompt('1', 'why?'),
  {
    type: 'model.reasoning',
    task: '1',
    text: Array.from({ length: 12 }, (_, i) => `First I think of ${i}, then of what comes after it.`).join(' '),
  },
];

const sizes = [
  [160, 60],
  [100, 50],
  [60, 44],
] as const;

const scenes: readonly (readonly [string, readonly RuntimeEvent[], readonly string[]])[] = [
  ['markdown', [prompt('1', 'how full is it?'), { type: 'model.text', task: '1', text: document }], []],
  ['calls', calls, []],
  ['calls-expanded', calls, ['C-o', 'C-home']],
  ['times', times, []],
  ['thinking', thinking, []],
  [
    'search',
    [prompt('1', 'how full is it?'), { type: 'model.text', task: '1', text: document }, ...calls],
    ['/', 'o', 'p', 't', 'i', 'o', 'n', 'enter', 'n'],
  ],
  ['folded', [...times, ...calls], ['f']],
];

test.each(
  sizes.flatMap(([cols, rows]) =>
    scenes.map(([name, events, keys]) => [`blocks-${name}-${cols}x${rows}`, cols, rows, events, keys] as const),
  ),
)('%s', (name, cols, rows, events, keys) => {
  const begun = stateAfter(cols, rows, [startedEvent(), ...events], { lex });
  const focused = press(begun, START_MS, 'tab', 'z').state;
  const ticked: State = reduce(focused, { type: 'tick', nowMs: START_MS + 41_000 });
  const text = `${seen(press(ticked, START_MS + 41_000, ...keys).state)}\n`;
  const file = `__tests__/view/golden/${name}.txt`;
  if (process.env['BUDDY_GOLDEN'] === 'write') writeFileSync(file, text);
  if (!existsSync(file)) throw new Error(`${file} is missing; BUDDY_GOLDEN=write writes it`);
  expect(text).toBe(readFileSync(file, 'utf8'));
});
