/** A trace as a file, made by hand: two turns with a question, a failure, a rule and a compaction. */

import { writeFileSync } from 'node:fs';
import type { ApprovalRequest } from '../../../lib/protocol/approvals.js';
import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import type { Usage } from '../../../lib/protocol/messages.js';
import { chatModel, START_MS, startedEvent } from '../../view/support/picture.js';

const priced = { ...chatModel, prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: null } };

const answer = (task: string, text: string, usage: Usage | null): RuntimeEvent => ({
  type: 'model.answered',
  task,
  usage,
  message: { role: 'assistant', text, reasoning: text === '' ? 'I look first.' : '', calls: [], extras: {}, incomplete: false },
});
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  ...{ inputTokens, outputTokens },
  ...{ cachedTokens: 100, reasoningTokens: null },
});
const question: ApprovalRequest = {
  ...{ id: 'a1', task: '1', call: 'c1', tool: 'run_shell', title: 'run in pane %1', body: 'df -h' },
  ...{ target: 'this host', cwd: '/srv', claim: null },
};
const tool = (task: string, call: string, name: string, preview: string): RuntimeEvent => ({
  type: 'tool.requested',
  ...{ task, call, name, preview },
});

/** The events, each with its milliseconds since the start. */
const events: readonly (readonly [number, RuntimeEvent])[] = [
  [0, { ...startedEvent(priced), profiles: [priced] } as RuntimeEvent],
  [1000, { type: 'task.started', task: '1', kind: 'prompt', text: 'how full are\nthe disks?', pane: null }],
  [1010, { type: 'model.requested', task: '1', iteration: 1, estimatedTokens: 2000, messages: 1 }],
  [1500, answer('1', '', usage(2100, 40))],
  [1510, tool('1', 'c1', 'run_shell', 'df -h')],
  [1520, { type: 'approval.requested', request: question }],
  [4520, { type: 'approval.resolved', approval: 'a1', decision: 'once', by: 'user' }],
  [4530, { type: 'tool.started', task: '1', call: 'c1' }],
  [
    4700,
    { type: 'tool.ended', ...{ task: '1', call: 'c1', isError: false, text: '/ 80%', summary: 'exit 0', exitCode: 0, elapsedMs: 170 } },
  ],
  [4710, { type: 'model.requested', task: '1', iteration: 2, estimatedTokens: 2300, messages: 3 }],
  [5900, answer('1', 'It is **80 %** full.', usage(2400, 60))],
  [6000, { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null }],
  [7000, { type: 'context.compacted', tokensBefore: 120_000, tokensAfter: 4000 }],
  [8000, { type: 'task.started', task: '2', kind: 'prompt', text: 'and \x1b[31mred?', pane: null }],
  [8010, { type: 'model.requested', task: '2', iteration: 1, estimatedTokens: 150_000 }],
  [8500, tool('2', 'c2', 'read_file', '/etc/hosts')],
  [8600, { type: 'tool.ended', ...{ task: '2', call: 'c2', isError: true, text: 'no', summary: 'failed', exitCode: null, elapsedMs: 20 } }],
  [8700, { type: 'model.retrying', task: '2', attempt: 1, atMs: START_MS + 9000, reason: 'the server is busy' }],
  [
    9000,
    { type: 'task.ended', task: '2', outcome: 'failed', exitCode: null, error: { code: 'model.down', message: 'it is gone', hint: null } },
  ],
];

/** The lines, as a run without a screen has written them. */
export const tracedLines: readonly string[] = [
  { kind: 'header', trace: 1, tsMs: START_MS, program: '0.1.0', screen: null, atMs: 0 },
  ...events.map(([atMs, event], at) => ({ kind: 'event', seq: at + 1, tsMs: START_MS + atMs, event, atMs })),
].map((line) => JSON.stringify(line));

/** Writes them into a file. */
export function writeTrace(path: string, lines: readonly string[] = tracedLines): string {
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
