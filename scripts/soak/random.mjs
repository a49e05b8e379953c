/** Chance that can be had again: the same seed gives the same choices. */

/** mulberry32. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** 0 ≤ number < 1. */
    next,
    /** A whole number, both ends included. */
    integer: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (part) => next() < part,
  };
}

/** The seed of one round, so that it can be played without those before it. */
export const seedOfRound = (seed, round) => (Math.imul(seed, 0x9e3779b1) ^ Math.imul(round, 0x85ebca6b)) >>> 0;
