/** tmux control mode read from bytes, however they are cut. */

import fc from 'fast-check';
import { ControlParser, unescapeOutput } from '../../lib/targets/tmux/control-parser.js';
import { formatLiteral, shellWord, tmuxWord } from '../../lib/targets/tmux/quoting.js';

const stream = Buffer.from(
  [
    '%begin 1 10 0',
    '%0',
    '%end 1 10 0',
    '%session-changed $0 buddy-test',
    '%output %0 a\\033[1mż\\134n\\015\\012',
    '%begin 1 11 1',
    '%end 1 10 0',
    '%output %9 no output, a line of a reply',
    '',
    'two ż',
    '%end 1 11 1',
    '%extended-output %0 12 : later : x\\007',
    'junk without a percent sign',
    '%begin 1 12 1',
    'no such thing',
    '%error 1 12 1',
    '%pause %0',
    '%exit',
    '',
  ].join('\n'),
  'utf8',
);

const expected = [
  ['reply', true, false, ['%0']],
  ['notification', '%session-changed', '$0 buddy-test'],
  ['output', '%0', 'a\x1b[1mż\\n\r\n'],
  ['reply', true, true, ['%end 1 10 0', '%output %9 no output, a line of a reply', '', 'two ż']],
  ['output', '%0', 'later : x\x07'],
  ['reply', false, true, ['no such thing']],
  ['notification', '%pause', '%0'],
  ['notification', '%exit', ''],
];

function parse(chunks: readonly Buffer[]): unknown[] {
  const seen: unknown[] = [];
  const parser = new ControlParser({
    reply: (ok, lines, ours) => seen.push(['reply', ok, ours, lines.map((line) => line.toString('utf8'))]),
    output: (pane, bytes) => seen.push(['output', pane, bytes.toString('utf8')]),
    notification: (name, rest) => seen.push(['notification', name, rest]),
  });
  for (const chunk of chunks) parser.push(chunk);
  return seen;
}

test('reads replies, output and notifications in order', () => {
  expect(parse([stream])).toEqual(expected);
});

test('reads the same when the bytes come one at a time', () => {
  expect(parse(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(expected);
});

test('reads the same wherever the bytes are cut in two', () => {
  for (let at = 0; at <= stream.length; at++) expect(parse([stream.subarray(0, at), stream.subarray(at)])).toEqual(expected);
});

test('undoes the escapes of any output', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const escaped = Array.from(bytes, (byte) =>
        byte < 0x20 || byte === 0x5c ? Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`) : Buffer.from([byte]),
      );
      expect(unescapeOutput(Buffer.concat(escaped))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('output cut off in the middle of an escape is kept as it is', () => {
  expect(unescapeOutput(Buffer.from('a\\01')).toString()).toBe('a\\01');
});

test('quotes words for tmux, formats and shells', () => {
  expect(tmuxWord('a b;#{x}"\\$\nż')).toBe('"a\\040b\\073\\043\\173x\\175\\042\\134\\044\\012\\305\\274"');
  expect(formatLiteral('a#{b},c')).toBe('a##{b#}#,c');
  expect(shellWord("it's")).toBe("'it'\\''s'");
});
