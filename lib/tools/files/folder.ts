/** A folder at the target, looked into for grep, find, ls and read_file: listed, without what is ignored, in order, and what has to be said of it. */

import { posix } from 'node:path';
import { pausing, sortedInSteps } from '../../base/unhurried.js';
import { absolute } from '../landing.js';
import type { ToolContext } from '../tool.js';
import { leftIn, nestedRules, readRules } from './ignored.js';
import { type Entry, type Listing, type ListingKind, listingRequest, readListing } from './listing-script.js';
import { bytesOf, shownName, textOf } from './names.js';
import { type Reading, refuseUnasked } from './reading.js';

export interface Folder {
  /** As it is given to what works on it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Where it really is (of a file: its folder); one character a byte. */
  readonly real: string;
  readonly ripgrep: string;
  /** Sorted by the bytes of their paths. */
  readonly entries: readonly Entry[];
  /** Sentences on what is not among them. */
  readonly notes: readonly string[];
}

/**
 * Looks into it. Whoever is never read unasked is left out: of `files` the closed files, of `all` what stands in closed folders. Throws
 * `target.file`, `tool.refused` when it is another folder by now than was judged.
 */
export async function lookedInto(reading: Reading, kind: ListingKind, context: ToolContext): Promise<Folder> {
  const { target, signal, clock } = context;
  const { summary, homeDir } = target;
  const path = absolute(reading.path, summary.cwd, homeDir);
  const pause = pausing(clock, signal);
  const looked = await target.look(listingRequest(path, summary.cwd, kind), signal);
  const listing = await readListing(path, looked, pause);
  const [only] = listing.entries;
  const real = textOf(listing.real);
  refuseUnasked(reading, listing.isFolder ? real : posix.join(real, textOf(only?.path ?? '')), context);
  const base = { path: listing.isFolder ? path : real, isFolder: listing.isFolder, real: listing.real, ripgrep: listing.ripgrep };
  if (!listing.isFolder) return { ...base, entries: listing.entries, notes: [] };
  const rules = kind === 'one' ? null : await nestedRules(path, listing, pause);
  const nested = rules === null ? [] : readRules((await target.look(rules, signal)).stdout);
  const left = kind === 'one' ? listing.entries : await leftIn(listing, nested, pause);
  const { isClosed } = await import('../../policy/shell/closed-path.js');
  const open: Entry[] = [];
  const closed = new Set<string>();
  for (const [at, entry] of left.entries()) {
    if (at % 200 === 199) await pause();
    if (kind === 'files' && entry.kind !== 'file') continue;
    const judged = kind === 'files' ? entry.path : posix.dirname(entry.path);
    const isShut = kind !== 'one' && judged !== '.' && isClosed(posix.join(real, textOf(judged)));
    if (!isShut) open.push(entry);
    else closed.add(judged);
  }
  const entries = await sortedInSteps(open, (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0), pause);
  return {
    ...base,
    entries,
    notes: [...cutNote(listing, entries.length), ...closedNote([...closed].sort()), ...unreadNote(looked.stderr)],
  };
}

/** Names in one sentence. */
const MOST_NAMED = 5;

function cutNote({ cut }: Listing, entries: number): readonly string[] {
  if (cut === null) return [];
  return [
    `There is more than was looked at: the list ended after ${entries} entries (${cut === 'time' ? 'it took too long' : 'it is too long'}). Take a folder below.`,
  ];
}

/** On what a person is asked about. */
function closedNote(closed: readonly string[]): readonly string[] {
  if (closed.length === 0) return [];
  return [`Left out, as only the user can allow reading it (read_file asks): ${named(closed)}.`];
}

/** On what the programs could not open; each of them says it in its own words. */
export function unreadNote(stderr: string): readonly string[] {
  const names = new Set<string>();
  for (const line of stderr.split('\n')) {
    const found =
      /^(?:find|rg|grep|\[fd error\]|.*\/rg|xargs)?:? ?['‘]?(?:\.\/)?(.+?)['’]?: (?:Permission denied|Operation not permitted|Input\/output error)/.exec(
        line,
      );
    if (found?.[1] !== undefined) names.add(found[1].replace(/^(?:grep|rg|find): /, '').replace(/^\.\//, ''));
  }
  return names.size === 0 ? [] : [`Could not be read: ${named([...names].map(bytesOf))}.`];
}

function named(names: readonly string[]): string {
  const few = names.slice(0, MOST_NAMED).map(shownName).join(', ');
  return names.length > MOST_NAMED ? `${few} and more` : few;
}
