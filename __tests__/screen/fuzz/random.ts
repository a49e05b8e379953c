/** Random numbers from a seed: the same seed, the same run. */

export interface Random {
  /** 0 to `below` - 1. */
  number(below: number): number;
  one<T>(of: readonly T[]): T;
  /** True once in so many times. */
  rarely(onceIn: number): boolean;
}

/** mulberry32: small, and good enough to mix events. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const number = (below: number): number => Math.floor(next() * below);
  return { number, one: (of) => of[number(of.length)] as (typeof of)[number], rarely: (onceIn) => number(onceIn) === 0 };
}
