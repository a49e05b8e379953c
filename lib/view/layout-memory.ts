/** Rows that were laid out once and are still right: kept per block for as long as nothing they depend on has changed. */

import { createFinder, type Finder } from './finder.js';
import { type BlockLook, blockRows, isTicking } from './rows/block.js';
import type { LaidOut } from './rows/lines.js';
import type { Block, BlockId } from './transcript.js';

interface Entry {
  readonly block: Block;
  readonly look: BlockLook;
  readonly laid: LaidOut;
}

/** Blocks whose rows are remembered: far more than any screen shows, far fewer than a long session has. */
const REMEMBERED = 2048;

/** Owned by one State and all that come after it. */
export interface LayoutMemory {
  /** The rows of a block, laid out now or before. */
  rows(id: BlockId, block: Block, look: BlockLook): LaidOut;
  /** What `make` gave when `slot` was last asked with the very same `inputs`; otherwise it is made now. */
  remember<T>(slot: string, inputs: readonly unknown[], make: () => T): T;
  /** What was found in the transcript, remembered for all blocks that have not changed. */
  readonly finder: Finder;
  /** Rows laid out so far: what a test counts to see that only visible ones are. */
  laidOutRows(): number;
}

/** An empty memory. */
export function createLayoutMemory(): LayoutMemory {
  const entries = new Map<BlockId, Entry>();
  const slots = new Map<string, { readonly inputs: readonly unknown[]; readonly value: unknown }>();
  let count = 0;
  return {
    finder: createFinder(),
    remember<T>(slot: string, inputs: readonly unknown[], make: () => T): T {
      const known = slots.get(slot);
      if (known?.inputs.length === inputs.length && known.inputs.every((input, i) => input === inputs[i])) return known.value as T;
      const value = make();
      slots.set(slot, { inputs, value });
      return value;
    },
    rows(id, block, look) {
      const known = entries.get(id);
      if (known !== undefined && known.block === block && sameLook(known.look, look, block)) return known.laid;
      const laid = blockRows(block, look);
      count += laid.rows.length;
      if (known === undefined && entries.size >= REMEMBERED) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.delete(id);
      entries.set(id, { block, look, laid: known === undefined ? laid : withKnownRows(laid, known.laid) });
      return entries.get(id)?.laid ?? laid;
    },
    laidOutRows: () => count,
  };
}

function sameLook(a: BlockLook, b: BlockLook, block: Block): boolean {
  return (
    a.width === b.width &&
    a.expanded === b.expanded &&
    a.selected === b.selected &&
    a.outlined === b.outlined &&
    a.first === b.first &&
    a.mark?.pattern === b.mark?.pattern &&
    a.mark?.current === b.mark?.current &&
    a.lex === b.lex &&
    a.theme === b.theme &&
    (!isTicking(block) || a.nowMs === b.nowMs)
  );
}

/** Rows that read and look the same stay the same objects: the printer compares by identity. */
function withKnownRows(next: LaidOut, known: LaidOut): LaidOut {
  return { keys: next.keys, rows: keepRows(next.rows, known.rows) };
}

/** `next`, with every row that equals the one at its place in `known` replaced by that very object. */
export function keepRows(next: LaidOut['rows'], known: LaidOut['rows']): LaidOut['rows'] {
  if (next === known) return known;
  const kept = next.map((row, i) => {
    const old = known[i];
    return old !== undefined && sameRow(row, old) ? old : row;
  });
  return kept.length === known.length && kept.every((row, i) => row === known[i]) ? known : kept;
}

function sameRow(a: LaidOut['rows'][number], b: LaidOut['rows'][number]): boolean {
  if (a === b) return true;
  if (a.segments.length !== b.segments.length || a.fill !== b.fill) return false;
  return a.segments.every((part, i) => part.text === b.segments[i]?.text && part.style === b.segments[i]?.style);
}
