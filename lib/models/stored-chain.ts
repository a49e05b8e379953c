/** What a server keeps of a conversation (`store = true`): the last answer's id, and which messages stand behind it. */

import type { AssistantMessage, Message } from '../protocol/messages.js';
import { errorObject } from './failure.js';
import { asText, parseJson } from './json.js';
import type { ModelRequest } from './provider.js';

/** A request that goes on where the server is. */
export interface Link {
  /** Id of the answer before it. */
  readonly previousId: string;
  /** What the server has not seen. */
  readonly rest: readonly Message[];
  /** Messages that were of a moment only, and that the server keeps all the same. */
  readonly stale: number;
}

/** An answer that the server keeps. */
interface Kept {
  readonly id: string;
  readonly session: string;
  /** What was sent, and what was answered. */
  readonly sent: readonly Message[];
  readonly answer: AssistantMessage;
  readonly stale: number;
}

/** So many stale messages are borne; then the whole conversation is sent anew, without them. */
const MOST_STALE = 10;
/** A server that refused so many ids in a row keeps nothing. */
const MOST_LOST = 2;

/** The chain of one provider: another profile has another provider, so an id never goes where it does not come from. */
export class StoredChain {
  #kept: Kept | null = null;
  #lostInARow = 0;

  /** How `request` can go on; null: all of it must be sent, because nothing is kept or the history is not what it was. */
  link({ messages, session }: ModelRequest): Link | null {
    const kept = this.#kept;
    if (kept === null || kept.session !== session || this.#lostInARow >= MOST_LOST) return null;
    const { id: previousId, sent, answer } = kept;
    if (beginWith(messages, [...sent, answer])) return { previousId, rest: messages.slice(sent.length + 1), stale: kept.stale };
    // The last message may have been of that moment only, as what is told of the terminal.
    if (sent.at(-1)?.role !== 'user' || !beginWith(messages, [...sent.slice(0, -1), answer])) return null;
    const stale = kept.stale + 1;
    return stale > MOST_STALE ? null : { previousId, rest: messages.slice(sent.length), stale };
  }

  /** `request`, which went on by `link`, was answered, and the server keeps the answer under `id`. */
  keep({ messages, session }: ModelRequest, link: Link | null, answer: AssistantMessage, id: string): void {
    if (link !== null) this.#lostInARow = 0;
    this.#kept = { id, session, sent: messages, answer, stale: link?.stale ?? 0 };
  }

  /** The server does not know the id any more. */
  lose(): void {
    this.#kept = null;
    this.#lostInARow++;
  }
}

/** More than that has to follow: a request that says nothing new is none. */
function beginWith(messages: readonly Message[], beginning: readonly Message[]): boolean {
  return messages.length > beginning.length && beginning.every((message, at) => isSame(message, messages[at]));
}

function isSame(a: Message, b: Message | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The id of the answer before cannot be used, or nothing is kept at all. */
export type StoreRefusal = 'link' | 'all';

const UNKNOWN = /\bprevious[_ ]response|\bresponse\b.*\bnot (be )?found/i;
const NOTHING = /\bstore\b.*\bmust be (set to )?false|\bstore\b.*\bnot supported|unsupported.*\bstore\b/i;

/** What of it an answer with `status` and `text` refuses. */
export function storeRefusal(status: number, text: string): StoreRefusal | null {
  if (status !== 400 && status !== 404 && status !== 422) return null;
  const error = errorObject(parseJson(text) ?? text);
  const message = asText(error['message']);
  if ([error['code'], error['param']].some((word) => asText(word).startsWith('previous_response')) || UNKNOWN.test(message)) return 'link';
  return error['param'] === 'store' || NOTHING.test(message) ? 'all' : null;
}
