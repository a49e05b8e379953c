/** Word motions exactly as vim has them (`w b e ge` and their big kin). */

import type { Cursor, EditorText } from '../text.js';
import { Walker, type WordClass } from './walker.js';

/** A place that was reached, and whether all of the count was. */
export interface Reached {
  readonly at: Cursor;
  readonly whole: boolean;
}

/** What a word motion starts from. */
export interface WordStart {
  readonly text: EditorText;
  readonly at: Cursor;
  readonly count: number;
  readonly classes: WordClass;
}

/** `w`. With `stopAtLineEnd` (behind an operator) the last word ends with its line. */
export function wordForward({ text, at, count, classes }: WordStart, stopAtLineEnd: boolean): Reached {
  const walk = new Walker(text, at, classes);
  for (let left = count - 1; left >= 0; left--) {
    const kind = walk.kind;
    const last = walk.onLastLine;
    const first = walk.forward();
    if (first === 'nowhere' || (first !== 'moved' && last)) return { at: walk.at, whole: false };
    if (first !== 'moved' && stopAtLineEnd && left === 0) return { at: walk.at, whole: true };
    if (kind !== 0) {
      while (walk.kind === kind) {
        const step = walk.forward();
        if (step === 'nowhere' || (step !== 'moved' && stopAtLineEnd && left === 0)) return { at: walk.at, whole: true };
      }
    }
    while (walk.kind === 0 && !walk.onEmptyLine) {
      const onLast = walk.onLastLine;
      const step = walk.forward();
      if (step === 'nowhere' || (step !== 'moved' && (onLast || (stopAtLineEnd && left === 0)))) return { at: walk.at, whole: true };
    }
  }
  return { at: walk.at, whole: true };
}

/** `b`. */
export function wordBack({ text, at, count, classes }: WordStart): Reached {
  const walk = new Walker(text, at, classes);
  const back = () => walk.back();
  for (let left = count; left > 0; left--) {
    if (back() === 'nowhere') return { at: walk.at, whole: false };
    if (!skipBlanks(walk, back)) {
      if (walk.onEmptyLine) continue;
      return { at: walk.at, whole: true };
    }
    if (!walk.skip(walk.kind, back)) return { at: walk.at, whole: true };
    walk.forward();
  }
  return { at: walk.at, whole: true };
}

/** `e`. With `mayStay` (for `cw`) a word of one character ends where one stands. */
export function wordEnd({ text, at, count, classes }: WordStart, mayStay: boolean): Reached {
  const walk = new Walker(text, at, classes);
  const forward = () => walk.forward();
  for (let left = count, stay = mayStay; left > 0; left--, stay = false) {
    const kind = walk.kind;
    if (forward() === 'nowhere') return { at: walk.at, whole: false };
    if (walk.kind === kind && kind !== 0) {
      if (!walk.skip(kind, forward)) return { at: walk.at, whole: false };
    } else if (!stay || kind === 0) {
      if (!walk.skip(0, forward)) return { at: walk.at, whole: false };
      if (!walk.skip(walk.kind, forward)) return { at: walk.at, whole: false };
    }
    walk.back();
  }
  return { at: walk.at, whole: true };
}

/** `ge`. */
export function wordEndBack({ text, at, count, classes }: WordStart): Reached {
  const walk = new Walker(text, at, classes);
  const back = () => walk.back();
  for (let left = count; left > 0; left--) {
    const kind = walk.kind;
    if (back() === 'nowhere') return { at: walk.at, whole: false };
    if (kind !== 0 && walk.kind === kind && !walk.skip(kind, back)) return { at: walk.at, whole: true };
    if (!skipBlanks(walk, back) && !walk.onEmptyLine) return { at: walk.at, whole: true };
  }
  return { at: walk.at, whole: true };
}

/** Over blanks and line ends; false when an empty line or the end of the text stopped it. */
function skipBlanks(walk: Walker, step: () => ReturnType<Walker['forward']>): boolean {
  while (walk.kind === 0) {
    if (walk.onEmptyLine) return false;
    if (step() === 'nowhere') return false;
  }
  return true;
}
