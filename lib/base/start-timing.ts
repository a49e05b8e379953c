/** How long the parts of a start take (`BUDDY_TIMING=1`). */

/** Notes when each part of a start has ended. */
export interface StartTiming {
  /** That part has ended now; the first time counts. */
  mark(part: string): void;
  /** A line for each part in the order of their ends: its own milliseconds, and those since the process began. */
  report(): string;
}

/** `sinceStartMs` answers the milliseconds since the process began. */
export function createStartTiming(sinceStartMs: () => number): StartTiming {
  const marks = new Map<string, number>();
  return {
    mark(part) {
      if (!marks.has(part)) marks.set(part, sinceStartMs());
    },
    report() {
      let before = 0;
      const lines = [...marks].map(([part, atMs]) => {
        const own = atMs - before;
        before = atMs;
        return `${part.padEnd(14)} ${own.toFixed(1).padStart(8)} ms ${atMs.toFixed(1).padStart(9)} ms\n`;
      });
      return `start-up profile: own time, time since the process began\n${lines.join('')}`;
    },
  };
}
