import { isBase64 } from '../../lib/base/base64.js';

test.each(['AA==', 'AAA=', 'AAAA', '+/+/'])('%s is base64', (text) => expect(isBase64(text)).toBe(true));
test.each(['', '=', '==', 'A===', 'AA=A', 'A A', 'AA\n', 'ä'])('%j is none', (text) => expect(isBase64(text)).toBe(false));

test('tens of megabytes are looked through', () => {
  const large = 'A'.repeat(32 * 1024 * 1024);
  expect(isBase64(large)).toBe(true);
  expect(isBase64(`${large}==`)).toBe(true);
  expect(isBase64(`${large}!`)).toBe(false);
});
