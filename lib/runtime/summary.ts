/** A summary of the older part of a conversation, written by a model. */

import { BuddyError } from '../base/errors.js';
import type { ModelRequest } from '../models/provider.js';
import type { Message, Usage } from '../protocol/messages.js';
import type { Answer } from './model-call.js';
import { cut } from './recap.js';
import { transcriptText } from './transcript-text.js';

/** Characters of a word of a summary, with what stands between words. */
const WORD_CHARACTERS = 7;

/** What is to be summarised. */
export interface SummaryRequest {
  readonly messages: readonly Message[];
  /** Characters of the transcript that the model can read. */
  readonly transcriptCharacters: number;
  /** Characters that the summary may have. */
  readonly summaryCharacters: number;
  /** What the person wants kept, in their words; '' for nothing in particular. */
  readonly wishes: string;
  readonly session: string;
}

/** Asks for it. Throws `context.summary` for an answer without one; rejects as `call` does. */
export async function summaryOf(
  { messages, transcriptCharacters, summaryCharacters, wishes, session }: SummaryRequest,
  instructions: (wishes: string, words: number) => string,
  call: (request: ModelRequest, signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: Usage | null }> {
  const transcript = transcriptText(messages, transcriptCharacters);
  const { message, usage, finish } = await call(
    {
      instructions: instructions(wishes, Math.floor(summaryCharacters / WORD_CHARACTERS)),
      messages: [{ role: 'user', text: `<transcript>\n${transcript}\n</transcript>\nWrite the summary now.` }],
      tools: [],
      session,
    },
    signal,
  );
  const text = message.text.trim();
  if (finish === 'refusal') throw new BuddyError('context.summary', 'the model refused to write a summary');
  if (text === '') throw new BuddyError('context.summary', 'the model wrote no summary');
  return { text: cut(text, summaryCharacters), usage };
}
