/** Finds words in all of the transcript: what folded blocks hide as well. Blocks and chunks that have not changed are not read again. */

import { visible } from '../base/visible.js';
import { type BlockLook, blockLines } from './rows/block.js';
import { matchKeys } from './rows/find.js';
import type { Block, BlockId, Transcript } from './transcript.js';

/** A match: its block, and its key in it (see rows/lines.ts). */
export interface Hit {
  readonly block: BlockId;
  readonly key: number;
}

/** What is looked for, and the look that the blocks would have (their lines depend on it). */
export interface Quest {
  readonly pattern: RegExp;
  readonly look: Omit<BlockLook, 'selected' | 'outlined' | 'first' | 'mark' | 'expanded' | 'nowMs'>;
}

/** All matches, the oldest first; `more`: there are older ones that were not looked for. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

/** More matches than this help nobody. */
const MOST = 10_000;

interface Known<T> {
  readonly quest: Quest;
  readonly value: T;
}

/** A memory of what was found. */
export interface Finder {
  find(transcript: Transcript, quest: Quest): Found;
  /** Blocks read so far: what a test counts. */
  blocksRead(): number;
}

/** A finder that knows nothing yet. */
export function createFinder(): Finder {
  const blocks = new WeakMap<Block, Known<readonly number[]>>();
  const chunks = new WeakMap<readonly Block[], Known<readonly Hit[]>>();
  let last: (Known<Found> & { readonly transcript: Transcript }) | null = null;
  let read = 0;

  function keysOf(block: Block, quest: Quest): readonly number[] {
    const known = blocks.get(block);
    if (known !== undefined && sameQuest(known.quest, quest)) return known.value;
    read++;
    const value = mayHold(block, quest.pattern) ? matchKeys(blockLines(block, lookFor(quest)).lines, quest.pattern, MOST) : none;
    blocks.set(block, { quest, value });
    return value;
  }

  function hitsOf(chunk: readonly Block[], from: BlockId, quest: Quest): readonly Hit[] {
    const known = chunks.get(chunk);
    if (known !== undefined && sameQuest(known.quest, quest)) return known.value;
    const value = chunk.flatMap((block, i) => keysOf(block, quest).map((key): Hit => ({ block: from + i, key })));
    chunks.set(chunk, { quest, value });
    return value;
  }

  return {
    find(transcript, quest) {
      if (last !== null && last.transcript === transcript && sameQuest(last.quest, quest)) return last.value;
      const parts: (readonly Hit[])[] = [];
      let count = 0;
      let end = transcript.length;
      let index = transcript.chunks.length - 1;
      // From the end: where there is too much, what is near the end is what one looks for.
      for (; index >= 0 && count < MOST; index--) {
        const chunk = transcript.chunks[index] ?? [];
        end -= chunk.length;
        const hits = hitsOf(chunk, end, quest);
        count += hits.length;
        parts.push(hits);
      }
      const value = { hits: parts.reverse().flat(), more: index >= 0 };
      last = { transcript, quest, value };
      return value;
    },
    blocksRead: () => read,
  };
}

const none: readonly number[] = [];

function sameQuest(a: Quest, b: Quest): boolean {
  return a.pattern === b.pattern && a.look === b.look;
}

function lookFor({ look }: Quest): BlockLook {
  return { ...look, expanded: true, selected: false, outlined: false, first: true, mark: null, nowMs: 0 };
}

/** A quick look at what the block was made of: only markup can stand between its letters, so a word is there or not. */
function mayHold(block: Block, pattern: RegExp): boolean {
  const word = /[\p{L}\p{N}]+/gu;
  const longest = (pattern.source.match(word) ?? []).reduce((best, next) => (next.length > best.length ? next : best), '');
  if (longest.length < 2) return true;
  const test = new RegExp(longest, pattern.flags.replace('g', ''));
  if (block.kind === 'tool') {
    if (block.diff !== null || block.status === 'running') return true;
    return [block.name, block.preview, block.result, block.tail, block.summary].some((text) => test.test(visible(text)));
  }
  return block.kind === 'mark' || block.kind === 'retry' || block.kind === 'reasoning' || test.test(visible(block.text));
}
