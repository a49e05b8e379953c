/** What fills the window: told by the runtime when it is asked, shown as bars and as words. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { contextText, contextWords } from '../../lib/view/context-bars.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { scriptedSummary, shellCall } from '../support/scripted-model.js';

type Told = Extract<RuntimeEvent, { type: 'context.told' }>;

async function toldAfter(...prompts: readonly string[]): Promise<Told> {
  const fake = fakeTarget(() => exited('x'.repeat(4000)));
  const answers = [{ text: 'I look.', calls: [shellCall('c1', 'df -h')] }, { text: 'y'.repeat(400) }];
  const bench = await startRuntime(answers, fake, { policy: { kind: 'all' } });
  for (const [at, text] of prompts.entries()) {
    bench.runtime.send({ type: 'prompt.submit', text });
    await bench.seen('task.ended', at + 1);
  }
  bench.runtime.send({ type: 'context.tell' });
  await bench.seen('context.told');
  return bench.find('context.told')[0] as Told;
}

test('before anything was said there are the instructions and the tools', async () => {
  const { parts, windowTokens, isMeasured } = await toldAfter();
  expect(parts.map(({ kind, count }) => [kind, count])).toEqual([
    ['instructions', null],
    ['tools', expect.any(Number)],
  ]);
  expect(parts.every(({ tokens }) => tokens > 0)).toBe(true);
  expect([windowTokens, isMeasured]).toEqual([scriptedSummary.contextTokens, false]);
});

test('then what each side said, by kind, each once', async () => {
  const { parts } = await toldAfter('how full is the disk?');
  const tokens = Object.fromEntries(parts.map((part) => [part.kind, part.tokens]));
  expect(parts.map(({ kind, count }) => [kind, count]).slice(2)).toEqual([
    ['prompts', 1],
    ['answers', 2],
    ['results', 1],
  ]);
  expect(tokens['results']).toBeGreaterThan(1000);
  expect(tokens['answers']).toBeGreaterThan(100);
  expect(tokens['answers']).toBeLessThan(300);
  expect(tokens['prompts']).toBeLessThan(30);
});

const told: Told = {
  type: 'context.told',
  windowTokens: 10_000,
  isMeasured: true,
  parts: [
    { kind: 'instructions', tokens: 1000, count: null },
    { kind: 'tools', tokens: 40, count: 9 },
    { kind: 'results', tokens: 5000, count: 3 },
  ],
};

test('bars are measured against the window; what is small still has a cell; the rest is free', () => {
  expect(contextText(told, scriptedSummary, 100).split('\n')).toEqual([
    'context of scripted: ~6.0k of 10.0k tokens, 60 % (an estimate, corrected by what the server counted)',
    '  instructions          ███                               1.0k   10 %',
    '  tools (9)             █                                   40   <1 %',
    '  results of tools (3)  ███████████████                   5.0k   50 %',
    '  free                  ░░░░░░░░░░░░                      4.0k   40 %',
  ]);
});

test('a full window has nothing free, one that is not known no share', () => {
  expect(contextText({ ...told, windowTokens: 5000 }, null, 80)).toMatch(/^context: ~6\.0k of 5\.0k tokens, 121 %/);
  expect(contextText({ ...told, windowTokens: 5000 }, null, 80)).toMatch(/free +0 +0 %$/);
  expect(contextText({ ...told, windowTokens: 0, isMeasured: false }, null, 80)).toContain(
    '~6.0k tokens (an estimate: the server has not counted yet)',
  );
  expect(contextText({ ...told, windowTokens: 0 }, null, 80)).not.toContain('free');
});

test('a narrow screen has shorter bars, and no line of them is broken', () => {
  const lines = contextText(told, null, 54).split('\n').slice(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(50);
  expect(lines[2]).toBe('  results of tools (3)  ████        5.0k   50 %');
});

test('in words, a line each', () => {
  expect(contextWords(told)).toEqual([
    'Context: ~6.0k of 10.0k tokens, 60 % (an estimate, corrected by what the server counted)',
    'instructions: 1.0k, 10 %',
    'tools (9): 40, <1 %',
    'results of tools (3): 5.0k, 50 %',
    'free: 4.0k, 40 %',
  ]);
});
