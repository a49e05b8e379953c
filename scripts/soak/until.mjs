/** Waiting for something that can be named. */

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The first truthy answer of `probe`; throws, naming `what`, after `withinMs`. */
export async function until(what, probe, withinMs = 20_000) {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${Math.round(withinMs / 1000)} s in vain until ${what}`);
    await pause(15);
  }
}
