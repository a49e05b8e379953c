/** A listener whose code is still being loaded. */

/**
 * A listener that can be told at once: what comes before `loading` is through is kept and handed over in its order, nothing twice. When
 * loading fails that is an unhandled rejection: a program without its own code is broken.
 */
export function lateListener<T>(loading: Promise<(value: T) => void>): (value: T) => void {
  const waiting: T[] = [];
  let listener = (value: T): void => {
    waiting.push(value);
  };
  void loading.then((loaded) => {
    // One that is told while the others are handed over comes after them.
    for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) loaded(value);
    listener = loaded;
  });
  return (value) => listener(value);
}
