/** Recorded traffic of real servers, as it lies in the fixtures. */

import { existsSync, readFileSync } from 'node:fs';

/** Where they lie, when they are here. */
export const FOLDER = '../shared/fixtures';

/** A text, or what is known of a long one. */
export type Shortened = string | { readonly len: number; readonly sha256: string };

/** What an answer is to be read as. */
export interface Expected {
  readonly status: number | null;
  readonly skip?: boolean;
  readonly text?: Shortened;
  readonly reasoning?: Shortened;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: Shortened }[];
  readonly finish?: string | null;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached: number | null;
    readonly reasoning?: number | null;
    readonly cache_write?: number;
  } | null;
  readonly extras?: readonly string[];
  readonly block_types?: readonly string[];
  readonly signatures?: number;
  readonly redacted?: number;
  readonly item_types?: readonly string[];
  readonly encrypted_reasoning_items?: number;
  readonly error?: { readonly message: string; readonly code?: string | number; readonly type?: string; readonly body?: string };
  readonly text_from_deltas?: string;
  readonly reasoning_from_deltas?: Shortened;
  readonly message_starts?: number;
}

/** An answer as it was recorded. */
export interface Answered {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
  readonly json?: unknown;
}

/** The protocols that are spoken. */
export type Protocol = 'chat' | 'responses' | 'anthropic';

interface Entry {
  readonly id: string;
  readonly file: string;
  readonly protocol: string;
  readonly expected: readonly Expected[];
}

const index: readonly Entry[] = existsSync(`${FOLDER}/index.json`) ? JSON.parse(readFileSync(`${FOLDER}/index.json`, 'utf8')) : [];

/** The answers of a file: recorded exchanges, one event a line, a raw stream, or one body. */
function answersOf({ file, expected }: Entry): readonly Answered[] {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  if (file.endsWith('.chunks.txt')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return [{ status: 200, headers: EVENTS, text: lines.map((line) => `data: ${line}\n\n`).join('') }];
  }
  if (file.endsWith('.sse')) return [{ status: 200, headers: EVENTS, text }];
  const json = JSON.parse(text) as { readonly interactions?: readonly { readonly response: Answered }[] };
  if (json.interactions !== undefined) return json.interactions.map(({ response }) => response);
  const error = expected[0]?.error;
  return [{ status: error === undefined ? 200 : Number(error.code) || 400, json }];
}

const EVENTS = { 'content-type': 'text/event-stream' };

/** Every recorded answer of one of the protocols, with what it is to be read as; none when the recordings are not here. */
export const recorded = index
  .filter(({ file }) => file !== 'errors-from-issues.json')
  .flatMap((entry) => {
    const answers = answersOf(entry);
    return entry.expected.flatMap((wanted, at) => {
      const response = answers[at];
      if (wanted.skip === true || response === undefined) return [];
      // What Google quotes is an error body, which is the same for every protocol.
      const protocol = (entry.protocol === 'gemini' ? 'chat' : entry.protocol) as Protocol;
      return [{ name: `${entry.id} ${at}`, protocol, wanted, response }];
    });
  });
