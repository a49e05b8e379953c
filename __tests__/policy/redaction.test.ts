/** A known secret goes in every form and wherever a stream parts it, and nothing else goes with it. */

import { createRedactor, createSecrets } from '../../lib/policy/redaction.js';
import { StreamedRedaction } from '../../lib/policy/streamed-redaction.js';

const KEY = 'p@ss/word"1+of=ann~2';
const bytes = (text: string) => Buffer.from(text);

/** The form, and what of it the secret alone decides, by what it is called. */
const forms: readonly (readonly [name: string, text: string, masked: string])[] = [
  ['raw', KEY, '[redacted]'],
  ['url-encoded', encodeURIComponent(KEY), '[redacted]'],
  ['url-encoded in small letters', encodeURIComponent(KEY).replace(/%../g, (found) => found.toLowerCase()), '[redacted]'],
  ['as JSON', JSON.stringify(KEY), '"[redacted]"'],
  ['as JSON with \\/', JSON.stringify(KEY).replaceAll('/', '\\/'), '"[redacted]"'],
  ['base64', bytes(KEY).toString('base64'), '[redacted]='],
  ['base64url', bytes(KEY).toString('base64url'), '[redacted]'],
];

const redact = createRedactor([KEY]);

test.each(forms)('%s', (_, text, masked) => expect(redact(`before ${text} after`)).toBe(`before ${masked} after`));

test.each([0, 1, 2, 3, 4, 5])('base64 with %d bytes before it: only the digits that it shares with its neighbours are left', (before) => {
  const neighbours = ['user:'.slice(0, before), '@host.example'] as const;
  const text = bytes(neighbours.join(KEY)).toString('base64');
  const masked = redact(`Basic ${text}`);
  const [head = '', tail = ''] = masked.split('[redacted]');
  expect(masked).toContain('[redacted]');
  expect(`Basic ${text}`.startsWith(head) && text.endsWith(tail)).toBe(true);
  // At most a digit on each side holds bits of the secret.
  expect(head.length).toBe(6 + Math.ceil((before * 8) / 6));
  expect(text.length - Math.floor(((before + KEY.length) * 8) / 6) - tail.length).toBeLessThanOrEqual(1);
});

test('what is short is a word, and what only looks like a part of it stays', () => {
  expect(createRedactor(['short'])('short')).toBe('short');
  expect(redact(`${KEY.slice(1)} and ${KEY.slice(0, -1)}`)).toBe(`${KEY.slice(1)} and ${KEY.slice(0, -1)}`);
});

/** Texts with secrets in them, known ones and others. */
const token = `sk-${'Ab3_-'.repeat(6)}`;
const jwt = `eyJ${'a1'.repeat(8)}.eyJ${'b2'.repeat(8)}.${'c3'.repeat(8)}`;
const pem = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\nBBBB-----\n-----END OPENSSH PRIVATE KEY-----';
const texts: readonly (readonly [name: string, text: string])[] = [
  ...forms.map(([name, text]) => [name, `it is ${text}, see?`] as const),
  ['two in a row', KEY + KEY],
  ['one that begins twice', KEY.slice(0, 7) + KEY],
  ['a prefix that is another secret', 'other-1 other-12 other-123'],
  ['one that overlaps another', 'abcdefgh-ijkl and abcdefgh-ijklmnop, ijklmnopq'],
  ['a token', `use ${token}. Or task-${token}; risk`],
  ['a bearer', 'Authorization: Bearer abcdef0123456789, bear with me'],
  ['a web token', `cookie=${jwt};`],
  ['a private key', `x ${pem} y -- z --- -----BEGIN CERTIFICATE-----`],
  ['ids', 'AKIAABCDEFGHIJKLMNOP AKIAABCDEFGHIJKLMNOPQ xoxb-0123456789-ab ghp_0123456789abcdefghij end'],
];
const secrets = createSecrets(() => [KEY, 'other-1', 'other-123', 'abcdefgh-ijkl', 'ijklmnop']);

test.each(texts)('in pieces, parted anywhere: %s', (_, text) => {
  const whole = secrets.redact(text);
  const streamed = (pieces: readonly string[]) => {
    const stream = new StreamedRedaction(secrets);
    return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
  };
  // The first letters of a secret may have been told when the rest of it comes.
  const parts = whole.split('[redacted]').map((part) => part.replace(/[^\w\s]/g, '\\$&'));
  const soundly = new RegExp(`^${parts.join('.{0,7}\\[redacted\\]')}$`, 's');
  expect(streamed([...text])).toMatch(soundly);
  const differ: (readonly [number, number])[] = [];
  for (let one = 0; one <= text.length; one++)
    for (let two = one; two <= text.length; two += 3)
      if (!soundly.test(streamed([text.slice(0, one), text.slice(one, two), text.slice(two)]))) differ.push([one, two]);
  expect(differ).toEqual([]);
});

test('ordinary text is not held back', () => {
  const stream = new StreamedRedaction(secrets);
  expect(stream.push('The disk is nearly full, and ')).toBe('The disk is nearly full, and ');
  expect(stream.push('the key is p@ss')).toBe('the key is ');
  expect(stream.push('ed on.')).toBe('p@ssed on.');
});

test('a private key without end is let go of nowhere', () => {
  const stream = new StreamedRedaction(secrets);
  let told = stream.push('-----BEGIN PRIVATE KEY-----\n');
  for (let line = 0; line < 3000; line++) told += stream.push(`${'QUJD'.repeat(16)}\n`);
  told += stream.push('-----END PRIVATE KEY-----\nafter');
  expect((told + stream.end()).replaceAll('[redacted]', '')).toBe('\nafter');
});

test('what is learnt later is masked in what is still held', () => {
  const late = createSecrets(() => []);
  const stream = new StreamedRedaction(late);
  expect(stream.push('key ')).toBe('key ');
  late.learn('learnt-later');
  expect(stream.push('learnt-la') + stream.push('ter.') + stream.end()).toBe('[redacted].');
});

test.each([
  ['web tokens', 'eyJ-', ''],
  ['keys', 'sk-', ''],
  ['tokens of a chat', 'xoxa-', ''],
  ['private keys', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
])('what only begins like %s, again and again, keeps nobody waiting', (_, begun, end) => {
  const text = `${begun.repeat(400_000 / begun.length)}${end} !`;
  const startedMs = performance.now();
  const told = new StreamedRedaction(secrets).push(text);
  expect(secrets.redact(text).endsWith(' !')).toBe(true);
  expect(told.endsWith(' !')).toBe(true);
  // Some ten milliseconds; half a minute when each beginning has all that follows looked through.
  expect(performance.now() - startedMs).toBeLessThan(3000);
});
