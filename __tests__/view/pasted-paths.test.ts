/** What a terminal pastes when pictures are dropped on it. */

import { pictureMentions } from '../../lib/view/pasted-paths.js';

test.each([
  ['one path', '/home/ann/x.png ', '@/home/ann/x.png '],
  ['in quotes', "'/home/ann/a b.PNG'", '@"/home/ann/a b.PNG" '],
  ['in double quotes', '"/tmp/a b.jpg"', '@"/tmp/a b.jpg" '],
  ['with backslashes', '/tmp/a\\ b\\(1\\).webp', '@"/tmp/a b(1).webp" '],
  ['an address', 'file:///tmp/a%20b.gif', '@"/tmp/a b.gif" '],
  ['several', "/a.png '/b c.jpeg'\n~/d.gif\n", '@/a.png @"/b c.jpeg" @~/d.gif '],
  ['a path of something else', '/etc/passwd', null],
  ['a picture among words', 'look at /a.png', null],
  ['a relative path', 'a.png', null],
  ['an address elsewhere', 'https://example.org/a.png', null],
  ['a file of another host', 'file://nas/a.png', null],
  ['an open quote', "'/a.png", null],
  ['a name with a quote', "'/a\"b.png'", null],
  ['nothing', ' \n', null],
])('%s', (_, text, mentions) => {
  expect(pictureMentions(text)).toBe(mentions);
});
