/** edit_file over a corpus of files and edits: what becomes of each file, byte for byte, or what the model is told. */

import { asBuddyError } from '../../lib/base/errors.js';
import { defaultDenylist } from '../../lib/policy/shell-command.js';
import { editFileTool } from '../../lib/tools/edit-file.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget } from '../support/fake-target.js';
import { judge } from '../support/judging.js';
import { alike } from './edit-corpus/alike.js';
import type { EditCase } from './edit-corpus/case.js';
import { exact } from './edit-corpus/exact.js';
import { failures } from './edit-corpus/failures.js';
import { indented } from './edit-corpus/indented.js';
import { lineEnds } from './edit-corpus/line-ends.js';
import { shapes } from './edit-corpus/shapes.js';

const corpus: Readonly<Record<string, readonly EditCase[]>> = { exact, lineEnds, alike, indented, failures, shapes };
const signal = new AbortController().signal;

function argumentsOf(args: unknown): unknown {
  const whole = typeof args === 'object' && args !== null && !Array.isArray(args) ? { path: '/srv/f', why: 'w', ...args } : args;
  // As it comes from a model: nothing is undefined.
  return JSON.parse(JSON.stringify(whole)) as unknown;
}

/** The file afterwards, and what was told: the result, or the error with its hint. */
async function run({ file, args }: EditCase) {
  const { target, files } = fakeTarget();
  if (file !== null) files.set('/srv/f', Buffer.from(file as string));
  const context = { target, denylist: defaultDenylist, judge, allowedPaths: [], homeDir: '/home/ann', confirmShell: true };
  const content = () => files.get('/srv/f') ?? null;
  try {
    const call = await editFileTool.prepare?.(editFileTool.parse(argumentsOf(args)), context, signal);
    if (call === undefined) throw new Error('it prepares nothing');
    const review = editFileTool.review(call, context);
    const done = await editFileTool.run(call, {
      ...context,
      signal,
      clock: new FakeClock(),
      caution: 'policy',
      report: () => undefined,
      background: () => '1',
    });
    return { content, review, result: done.result as { firstChangedLine: number; notes?: readonly string[] }, error: null };
  } catch (thrown) {
    const { message, hint = '' } = asBuddyError(thrown, 'tool.failed');
    return { content, review: null, result: null, error: `${message}. ${hint}` };
  }
}

test('it has enough cases, each with a name of its own', () => {
  const names = Object.entries(corpus).flatMap(([part, cases]) => cases.map(({ name }) => `${part}: ${name}`));
  expect(names.length).toBeGreaterThanOrEqual(120);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(Object.entries(corpus))('%s', (_part, cases) => {
  test.each(cases.map((entry) => [entry.name, entry] as const))('%s', async (_name, entry) => {
    const { content, review, result, error } = await run(entry);
    if (entry.fails !== undefined) {
      expect(error).not.toBeNull();
      for (const words of entry.fails) expect(error).toContain(words);
      expect(entry.file === null ? content() === null : content()?.equals(Buffer.from(entry.file as string))).toBe(true);
      return;
    }
    expect(error).toBeNull();
    expect(content()?.toString()).toBe(entry.becomes);
    expect(review).toMatchObject({ kind: 'ask', title: 'edit /srv/f', diff: { before: entry.file, after: entry.becomes } });
    if (entry.line !== undefined) expect(result?.firstChangedLine).toBe(entry.line);
    for (const words of entry.notes ?? []) expect(result?.notes?.join('\n')).toContain(words);
  });
});
