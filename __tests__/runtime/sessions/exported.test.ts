/** What an export says, made from records alone. */

import { exportedText } from '../../../lib/runtime/sessions/exported.js';
import type { SessionRecord } from '../../../lib/runtime/sessions/records.js';

const header = { session: 's', createdMs: 0, cwd: '/srv', target: 'local', parent: null };
const compacted = (trimmed: boolean): readonly SessionRecord[] => [
  { type: 'context', messages: [], tokens: { before: 900, after: 100, trimmed }, id: '1', parentId: null, tsMs: 0 },
];
const noLines = () => {
  throw new Error('the lines of the file were asked for');
};

test.each([
  [false, 'What came before was summarised: 900 tokens became 100.'],
  [true, 'Old results were left out: 900 tokens became 100.'],
])('says how room was made (only trimmed: %s)', (trimmed, words) => {
  expect(exportedText('md', header, compacted(trimmed), noLines)).toContain(`*${words}*`);
  expect(exportedText('html', header, compacted(trimmed), noLines)).toContain(words);
});

test('the lines of the file are asked for by the format that is them', () => {
  expect(exportedText('jsonl', header, [], () => 'as they are\n')).toBe('as they are\n');
});

test('a block ends where it ends, whatever fences stand in it, indented as well', () => {
  const ended = { call: 'c', name: 'run_shell', preview: 'cat README.md', isError: false, summary: 'exit 0', exitCode: 0, elapsedMs: 1 };
  const record: SessionRecord = { type: 'call', ...ended, text: 'a\n   ````\n# b', id: '1', parentId: null, tsMs: 0 };
  expect(exportedText('md', header, [record], noLines)).toContain('\n\n`````\na\n   ````\n# b\n`````\n');
});

test.each([
  ['Do:\n````sh\nrm -i x\n```', 'Do:\n````sh\nrm -i x\n```\n````\n\n*later*'],
  ['Do:\n```\nls', 'Do:\n```\nls\n```\n\n*later*'],
  ['~~~\na\n~~~~ \nb', '~~~\na\n~~~~ \nb\n\n*later*'],
  ['``` a ``` and `b`', '``` a ``` and `b`\n\n*later*'],
])('an answer that ends within a code block does not take what follows into it: %j', (text, expected) => {
  const at = { parentId: null, tsMs: 0 };
  const message = { role: 'assistant', text, reasoning: '', calls: [], extras: {}, incomplete: false } as const;
  const error = { code: 'x', message: 'later', hint: null };
  const end = { type: 'end', outcome: 'failed', error, name: null, prompts: 1, latest: '' } as const;
  const records: readonly SessionRecord[] = [
    { type: 'message', message, id: '1', ...at },
    { ...end, id: '2', ...at, parentId: '1' },
  ];
  expect(exportedText('md', header, records, noLines)).toContain(`\n\n${expected}`);
});
