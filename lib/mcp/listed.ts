/** What a server has, as it lists it: looked at, and only what is sound is kept. */

import { createHash } from 'node:crypto';
import { BuddyError } from '../base/errors.js';
import { withUnseenNamed } from '../base/visible.js';
import type { Connection, ListMethod } from './connection.js';
import { asLoose, type Loose, listIn, textIn } from './loose.js';
import { toolSchema } from './schema.js';

/** A tool of a server. */
export interface ListedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly schema: Loose;
  /** It says of itself that it only reads: a claim. */
  readonly saysReadOnly: boolean;
  /** Of all that it says of itself (SHA-256, hex). */
  readonly hash: string;
}

/** A prompt of a server. */
export interface ListedPrompt {
  readonly name: string;
  readonly says: string;
  readonly args: readonly { readonly name: string; readonly isRequired: boolean }[];
}

/** A resource of a server. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
}

/** So many of each kind are looked at, on so many pages. */
const MOST_LISTED = 2000;
const MOST_PAGES = 100;
/** No name, and no address of a resource, is longer (characters). */
const LONGEST_NAME = 200;
const LONGEST_URI = 2000;
/** Of a description so much is kept (characters). */
const DESCRIBED = 4000;
/** No schema is larger (characters of JSON). */
const LARGEST_SCHEMA = 64 * 1024;

/** All entries of a list, page by page, and what is wrong with it. Rejects as the connection does. */
export async function listAll(
  connection: Connection,
  method: ListMethod,
  key: string,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Loose[]; readonly problem: string | null }> {
  const entries: Loose[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await connection.list(method, cursor, signal);
    entries.push(
      ...listIn(answer, key)
        .map(asLoose)
        .filter((entry) => entry !== null),
    );
    if (entries.length > MOST_LISTED)
      return { entries: entries.slice(0, MOST_LISTED), problem: `it lists more than ${MOST_LISTED} ${key}` };
    const next = answer['nextCursor'];
    if (typeof next !== 'string' || next === '') return { entries, problem: null };
    if (seen.has(next)) return { entries, problem: `its list of ${key} goes round in a circle` };
    seen.add(next);
    cursor = next;
  }
  return { entries, problem: `its list of ${key} has more than ${MOST_PAGES} pages` };
}

/** The tools that are sound, and a sentence for each that is not. */
export function toolsOf(entries: readonly Loose[]): { readonly tools: readonly ListedTool[]; readonly problems: readonly string[] } {
  const tools: ListedTool[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const name = textIn(entry, 'name');
    const label = JSON.stringify(name.slice(0, 60));
    if (name === '' || name.length > LONGEST_NAME) problems.push(`${label} is no name of a tool`);
    else if (tools.some((known) => known.name === name)) problems.push(`it lists ${label} twice`);
    else {
      const found = toolOf(name, entry);
      if ('problem' in found) problems.push(`${label}: ${found.problem}`);
      else tools.push(found);
    }
  }
  return { tools, problems };
}

function toolOf(name: string, entry: Loose): ListedTool | { readonly problem: string } {
  const annotations = asLoose(entry['annotations']);
  try {
    const found = toolSchema(entry['inputSchema']);
    if ('problem' in found) return found;
    if (JSON.stringify(found.schema).length > LARGEST_SCHEMA) return { problem: 'its schema is too large' };
    const said = [name, entry['title'], entry['description'], entry['inputSchema'], annotations];
    return {
      name,
      description: withUnseenNamed(
        textIn(entry, 'description', textIn(entry, 'title', textIn(annotations, 'title', name)))
          .slice(0, DESCRIBED)
          .toWellFormed(),
      ),
      schema: found.schema,
      saysReadOnly: annotations?.['readOnlyHint'] === true,
      hash: createHash('sha256').update(JSON.stringify(said)).digest('hex'),
    };
  } catch (thrown) {
    // So deep that it cannot be walked.
    if (thrown instanceof RangeError) return { problem: 'what it says of itself is too deep' };
    throw thrown;
  }
}

/** The prompts that are sound. */
export function promptsOf(entries: readonly Loose[]): readonly ListedPrompt[] {
  return entries.flatMap((entry) => {
    const name = textIn(entry, 'name');
    if (name === '' || name.length > LONGEST_NAME) return [];
    const args = listIn(entry, 'arguments').flatMap((raw) => {
      const arg = asLoose(raw);
      const of = textIn(arg, 'name');
      return of === '' || of.length > LONGEST_NAME ? [] : [{ name: of, isRequired: arg?.['required'] === true }];
    });
    return [{ name, says: textIn(entry, 'description', textIn(entry, 'title')).slice(0, 200), args }];
  });
}

/** The resources that are sound. */
export function resourcesOf(entries: readonly Loose[]): readonly ListedResource[] {
  return entries.flatMap((entry) => {
    const uri = textIn(entry, 'uri');
    const name = textIn(entry, 'title', textIn(entry, 'name', uri)).slice(0, LONGEST_NAME);
    return uri === '' || uri.length > LONGEST_URI ? [] : [{ uri, name }];
  });
}

/** The arguments of a prompt: `name=value`, values with blanks in quotes; a text without names is the first argument. Throws `mcp.prompt`. */
export function promptArguments(prompt: ListedPrompt, written: string): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  const known = prompt.args.map(({ name }) => name);
  for (const [, name = '', quoted, plain] of written.matchAll(/(?:^|\s)([\w.-]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g))
    if (known.includes(name)) given[name] = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  const [first] = prompt.args;
  if (Object.keys(given).length === 0 && written !== '' && first !== undefined) given[first.name] = written;
  const missing = prompt.args.filter(({ name, isRequired }) => isRequired && given[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) throw new BuddyError('mcp.prompt', `it needs ${missing.map((name) => `${name}=…`).join(' ')}`);
  return given;
}
