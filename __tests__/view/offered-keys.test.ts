/** Keys of extensions: those that stand for something else are theirs, those that type stay the person's. */

import { offeredKeys } from '../../lib/view/offered-keys.js';

test('what types or moves is left out, and what is no key', () => {
  const keys = ['f9', 'alt+t', 'C-x', 'alt+enter', 'a', 'A', 'shift+a', 'space', 'enter', 'tab', 'up', 'nonsense', '+', 'é'];
  const found = offeredKeys(keys.map((key) => ({ key, line: '/do', says: 'Does.', from: 'mine' })));
  expect([...found.values()].map(({ key }) => key)).toEqual(['f9', 'alt+t', 'C-x', 'alt+enter']);
});
