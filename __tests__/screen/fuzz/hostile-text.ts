/** Text that a model, a command, a file name or a server might say to hurt a screen. */

import type { Random } from './random.js';

/** N1 to N3, A1 to A4 of the list of real-world failures, and what lays out badly. */
export const hostile: readonly string[] = [
  '\x1b]52;c;ZXZpbA==\x07',
  '\x1b]0;owned\x1b\\',
  '\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\',
  '\x1bPq#0;2;0;0;0\x1b\\',
  '\x1bc\x1b[2J\x1b[6n\x1b[?1049l',
  '\x1b]',
  '\x1b[',
  '\x9b2J\x9d0;x\x9c\x90\x98',
  '\u202eabc\u2066x\u2069\u200b\u200e\ufeff',
  '{bold}{red-fg}x{/}',
  '\r\rover\b\b\x7f\x00\x07',
  '👨‍👩‍👧‍👦🇩🇪👍🏽❤️⚠️1️⃣',
  '漢字カナ한국ｆｕｌｌ',
  'e\u0301'.repeat(20) + '\u0301'.repeat(100),
  'ที่ นำ हिन्दी العربية ﷽ ‮',
  '\ud83d lone \udc00',
  '\u{10ffff}\u{e0041}\u{f0000}\uffff',
  '\t\t|\t',
  'x'.repeat(2000),
  '漢'.repeat(200),
  'word '.repeat(150),
  '\n'.repeat(60),
  '',
  ' ',
  '# t\n\n- [ ] a\n  - b\n    1. c\n\n> q\n> > r\n\n***\n',
  '| a | b |\n|---|:-:|\n| 漢字 | `x|y` |\n| 1 |\n',
  '```sh\necho "unclosed\n',
  '~~~\n```\n~~~\n',
  '**bold _both** not_ ~~s~~ `c` [l](http://x) ![i](y) <b>h</b> &amp; \\* $x$',
  '```'.repeat(40),
  '| '.repeat(80),
  '> '.repeat(60),
  '- '.repeat(60),
  'y',
  '/quit',
  '@src/',
  'a\nb\r\nc',
];

/** A few code points from anywhere, so that nothing is only tried as somebody thought of it. */
function junk(random: Random): string {
  const ranges = [0x80, 0x300, 0x3000, 0xd800, 0x10000, 0x110000] as const;
  const most = random.one(ranges);
  return Array.from({ length: 1 + random.number(12) }, () => String.fromCodePoint(random.number(most))).join('');
}

/** Any text. */
export function anyText(random: Random): string {
  if (random.rarely(3)) return random.one(['why?', 'A sentence of a few words. ', 'two\nlines\n', 'ls -la /srv', 'done\n\n', 'word ']);
  const parts = Array.from({ length: 1 + random.number(3) }, () => (random.rarely(3) ? junk(random) : random.one(hostile)));
  return parts.join(random.one(['', ' ', '\n']));
}
