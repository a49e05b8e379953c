/** Waiting for a named condition of something real, never for a stretch of time. */

/** Resolves with the first truthy answer of `probe`; rejects, naming `what`, after `withinMs`. */
export async function until<T>(what: string, probe: () => T | Promise<T>, withinMs = 15_000): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await probe();
    if (answer) return answer as NonNullable<T>;
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
