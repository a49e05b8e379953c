/** What an import did not take, in one sentence. */

/** What there is one of, and several. */
const things = {
  image: ['image', 'images'],
  part: ['part of a message that is not understood', 'parts of messages that are not understood'],
  call: ['call that is not understood', 'calls that are not understood'],
  orphan: ['result without a call', 'results without a call'],
  role: ['message of an unknown role', 'messages of an unknown role'],
  entry: ['entry of an unknown kind', 'entries of an unknown kind'],
  branch: ['entry of another branch', 'entries of other branches'],
  label: ['label', 'labels'],
  tail: ['kept tail of a summary', 'kept tails of summaries'],
  torn: ['line that was never finished', 'lines that were never finished'],
} as const;

/** Counts what is left out. */
export class LeftOut {
  readonly #counts = new Map<keyof typeof things, number>();

  add(thing: keyof typeof things, count = 1): void {
    if (count > 0) this.#counts.set(thing, (this.#counts.get(thing) ?? 0) + count);
  }

  /** Null when everything was taken. */
  sentence(): string | null {
    const parts = [...this.#counts].map(([thing, count]) => `${count} ${things[thing][count === 1 ? 0 : 1]}`);
    return parts.length === 0 ? null : `Not taken over from the imported session: ${parts.join(', ')}.`;
  }
}
