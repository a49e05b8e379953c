/** What is told before there is somebody to tell is kept, in its order. */

import { lateListener } from '../../lib/base/late-listener.js';

test('what comes before the listener, while it is handed over and after it arrives once and in order', async () => {
  const heard: string[] = [];
  let loaded: (listener: (value: string) => void) => void = () => undefined;
  const tell = lateListener(
    new Promise<(value: string) => void>((resolve) => {
      loaded = resolve;
    }),
  );
  tell('a');
  tell('b');
  expect(heard).toEqual([]);
  loaded((value) => {
    heard.push(value);
    if (value === 'a') tell('told by the first');
  });
  await Promise.resolve();
  await Promise.resolve();
  tell('c');
  expect(heard).toEqual(['a', 'b', 'told by the first', 'c']);
});
