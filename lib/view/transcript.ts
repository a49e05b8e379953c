/** What the conversation pane shows, as data: blocks in order, never removed, so a block's index is its name. */

import type { FileDiff } from '../protocol/approvals.js';
import type { Attachment } from '../protocol/messages.js';
import type { ListedRule } from '../protocol/rules.js';
import type { Scan, Within } from './rows/split.js';

/** The index of a block. */
export type BlockId = number;

/** How loud a message is. */
export type NoticeLevel = 'info' | 'warning' | 'error';

/** How far a tool call has come. */
export type CallStatus = 'requested' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled';

/** A tool call and what came of it. */
export interface ToolBlock {
  readonly kind: 'tool';
  readonly task: string;
  readonly call: string;
  readonly name: string;
  readonly preview: string;
  readonly status: CallStatus;
  /** The end of the live output, at most `outputKept.most` characters. */
  readonly tail: string;
  readonly outputChars: number;
  readonly outputLines: number;
  /** What people see of the result, once it has ended. */
  readonly result: string;
  readonly summary: string;
  readonly exitCode: number | null;
  readonly startedMs: number | null;
  readonly elapsedMs: number;
  /** What it changes in a file. */
  readonly diff: FileDiff | null;
  /** The rule that let it through; null: none did. */
  readonly rule: ListedRule | null;
}

/** An answer, or a piece of a long one. */
export interface AnswerBlock {
  readonly kind: 'assistant';
  readonly text: string;
  /** The same answer goes on from the block before. */
  readonly continued: boolean;
  /** No blank line lies between that one and this. */
  readonly tight: boolean;
  /** What that one ended in the middle of. */
  readonly within: Within | null;
  readonly open: boolean;
  readonly incomplete: boolean;
  /** How far the text has been looked through for the next cut. */
  readonly scan: Scan;
}

/** One thing in the conversation. */
export type Block =
  | {
      readonly kind: 'user';
      readonly text: string;
      readonly steered: boolean;
      /** What was brought along with it; left out: nothing. */
      readonly attached?: readonly Attachment[];
    }
  | AnswerBlock
  | { readonly kind: 'reasoning'; readonly text: string; readonly startedMs: number; readonly endedMs: number | null }
  | ToolBlock
  | { readonly kind: 'notice'; readonly level: NoticeLevel; readonly text: string }
  /** The wait before another try; `over` once something came or the task ended. */
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      /** How many tries there are at most; null: nobody said. */
      readonly attempts: number | null;
      readonly atMs: number;
      readonly reason: string;
      readonly over: boolean;
    }
  /** A place in time: a new session, what came before was summarised. */
  | { readonly kind: 'mark'; readonly text: string }
  | { readonly kind: 'banner'; readonly text: string };

/** Live output kept per call: cut back to `least` when it grows over `most`, so that appending stays cheap. */
export const outputKept = { least: 64_000, most: 128_000 } as const;

const CHUNK = 256;

/**
 * A list of blocks that is cheap to change anywhere: a change copies one chunk of 256 and the list of chunks
 * (100 000 blocks: 391), never the whole.
 */
export interface Transcript {
  readonly chunks: readonly (readonly Block[])[];
  readonly length: number;
}

/** Nothing yet. */
export const emptyTranscript: Transcript = Object.freeze({ chunks: [], length: 0 });

/** The block with that name, or undefined. */
export function blockAt(transcript: Transcript, id: BlockId): Block | undefined {
  return transcript.chunks[Math.floor(id / CHUNK)]?.[id % CHUNK];
}

/** The transcript with `block` at its end. */
export function appendBlock(transcript: Transcript, block: Block): Transcript {
  const last = transcript.chunks[transcript.chunks.length - 1];
  const chunks =
    last === undefined || last.length === CHUNK ? [...transcript.chunks, [block]] : transcript.chunks.with(-1, [...last, block]);
  return { chunks, length: transcript.length + 1 };
}

/** The transcript with another block under that name. */
export function replaceBlock(transcript: Transcript, id: BlockId, block: Block): Transcript {
  const at = Math.floor(id / CHUNK);
  const chunk = transcript.chunks[at];
  if (chunk === undefined || chunk[id % CHUNK] === undefined) return transcript;
  return { chunks: transcript.chunks.with(at, chunk.with(id % CHUNK, block)), length: transcript.length };
}

/** The first piece of the answer that a block belongs to; null when it is no answer. */
export function answerStart(transcript: Transcript, id: BlockId): BlockId | null {
  for (let at = id; at >= 0; at--) {
    const piece = blockAt(transcript, at);
    if (piece?.kind !== 'assistant') return null;
    if (!piece.continued) return at;
  }
  return null;
}

/** The whole of the answer that ends with that piece, and where it begins; null when it goes on, or is none. */
export function answerEndingAt(transcript: Transcript, id: BlockId): { readonly text: string; readonly first: BlockId } | null {
  const next = blockAt(transcript, id + 1);
  const first = next?.kind === 'assistant' && next.continued ? null : answerStart(transcript, id);
  if (first === null) return null;
  let text = '';
  for (let at = first; at <= id; at++) {
    const piece = blockAt(transcript, at);
    if (piece?.kind === 'assistant') text += piece.text;
  }
  return { text, first };
}

/** The last block that `wanted` accepts, looking back at most `within` blocks; -1 when there is none. */
export function findLast(transcript: Transcript, wanted: (block: Block) => boolean, within = Number.POSITIVE_INFINITY): BlockId {
  const stop = Math.max(0, transcript.length - within);
  for (let id = transcript.length - 1; id >= stop; id--) {
    const block = blockAt(transcript, id);
    if (block !== undefined && wanted(block)) return id;
  }
  return -1;
}
