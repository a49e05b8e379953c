/** Our own OSC 133 marks found in pane bytes, and nobody else's. */

import { type Mark, MarkScanner } from '../../lib/targets/tmux/mark-scanner.js';

const stream = Buffer.from(
  'pre\x1b]133;A;3;buddy=N1;n=8;cwd=/tmp/a;b ż\x07$ \x1b]133;B;buddy=N1\x07' +
    '\x1b]133;C;buddy=N1;id=42\x07out\x1b[0m\x1b]133;D;77;buddy=EVIL;id=42\x07\x1b]0;title\x07\x1b]133;D;9\x07' +
    '\x1b]133;D;0;buddy=N1;id=42;cwd=/x\x07\x1b]133;P;k=s;buddy=N1\x07> \x1b]133;P;k=r;buddy=N1\x07\x1b]133;P;k=e;buddy=N1\x07\x1b]133;X;buddy=N1\x07\x1b]13',
);

const data = 'pre$ out\x1b[0m\x1b]133;D;77;buddy=EVIL;id=42\x07\x1b]0;title\x07\x1b]133;D;9\x07> \x1b]133;X;buddy=N1\x07';
const marks: readonly Mark[] = [
  { kind: 'A', id: '', prompt: 8, exitCode: 3, cwd: '/tmp/a;b ż', line: null },
  { kind: 'B', id: '', prompt: null, exitCode: null, cwd: null, line: null },
  { kind: 'C', id: '42', prompt: null, exitCode: null, cwd: null, line: null },
  { kind: 'D', id: '42', prompt: null, exitCode: 0, cwd: '/x', line: null },
  { kind: 'P', id: '', prompt: null, exitCode: null, cwd: null, line: null },
  { kind: 'R', id: '', prompt: null, exitCode: null, cwd: null, line: null },
  { kind: 'E', id: '', prompt: null, exitCode: null, cwd: null, line: null },
];

function scan(chunks: readonly Buffer[]): { data: string; marks: Mark[] } {
  const seen = { data: [] as Buffer[], marks: [] as Mark[] };
  const scanner = new MarkScanner(
    'N1',
    (bytes) => seen.data.push(Buffer.from(bytes)),
    (mark) => seen.marks.push(mark),
  );
  for (const chunk of chunks) scanner.push(chunk);
  return { data: Buffer.concat(seen.data).toString(), marks: seen.marks };
}

test('takes our marks out and leaves foreign ones in', () => {
  expect(scan([stream])).toEqual({ data, marks });
});

test('finds the same wherever the bytes are cut', () => {
  expect(scan(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual({ data, marks });
  for (let at = 0; at <= stream.length; at++) expect(scan([stream.subarray(0, at), stream.subarray(at)])).toEqual({ data, marks });
});

test('a mark that never ends is given back as data', () => {
  const endless = `\x1b]133;C;${'x'.repeat(7000)}`;
  expect(scan([Buffer.from(endless)]).data).toBe(endless);
  expect(scan([Buffer.from('\x1b]133;C;buddy=N1\nmore')]).data).toBe('\x1b]133;C;buddy=N1\nmore');
});

test('the mark of a start may tell the line', () => {
  const { marks } = scan([Buffer.from('\x1b]133;C;buddy=N1;n=4;line=echo 1;cwd=%25%0ab%x\x07')]);
  expect(marks).toEqual([{ kind: 'C', id: '', prompt: 4, exitCode: null, cwd: null, line: 'echo 1;cwd=%\nb%x' }]);
});

test('marks come between the data before and after them', () => {
  const order: string[] = [];
  const scanner = new MarkScanner(
    'N1',
    (bytes) => order.push(bytes.toString()),
    (mark) => order.push(mark.kind),
  );
  scanner.push(Buffer.from('a\x1b]133;C;buddy=N1\x07b\x1b]133;D;1;buddy=N1\x07c'));
  expect(order).toEqual(['a', 'C', 'b', 'D', 'c']);
});
