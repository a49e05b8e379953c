/**
 * What the tools of servers said of themselves when they were first seen: a server whose tools say something else later (CVE-2025-54136, "rug
 * pull") does not get it to a model without a yes. Kept in `mcp.json` of the state folder.
 */

import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { fileTrouble, mkdir, readTextIfPresent, systemCode, writeAtomically } from '../base/files.js';
import type { McpLaunch } from '../config/mcp-servers.js';
import type { ListedTool } from './listed.js';
import { asLoose, type Loose, nameWords, oneLine, textIn } from './loose.js';

/** What was pinned of a tool. */
export interface PinnedTool {
  readonly hash: string;
  readonly description: string;
  /** Its schema as JSON, the beginning of it. */
  readonly schema: string;
}

/** What was pinned of a server. */
export interface Pins {
  /** Of how it is started or reached (SHA-256, hex). */
  readonly launch: string;
  readonly tools: ReadonlyMap<string, PinnedTool>;
}

/** Where they are kept. */
export interface PinStore {
  /** Throws `config.value` for a file that is not sound. */
  read(key: string): Pins | null;
  /** Rejects with `state.write`. */
  write(key: string, pins: Pins): Promise<void>;
}

const VERSION = 1;
/** Of a text that is kept for the difference (characters). */
const KEPT = 4000;
/** Of a difference so much is shown, and so much of what stands around it (characters). */
const SHOWN = 2000;
const AROUND = 60;

/** Of all that decides what is started: the names of variables, not their values, which may be renewed tokens. */
export function launchHash(launch: McpLaunch): string {
  const said =
    launch.kind === 'stdio'
      ? [launch.command, launch.args, Object.keys(launch.env).sort(), launch.cwd]
      : [launch.kind, launch.url, Object.keys(launch.headers).sort(), launch.tokenEnv];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

/** The pins of tools as they are now. */
export function pinsOf(launch: string, tools: readonly ListedTool[]): Pins {
  const kept = ({ hash, description, schema }: ListedTool) => ({
    hash,
    description: description.slice(0, KEPT),
    schema: JSON.stringify(schema).slice(0, KEPT),
  });
  return { launch, tools: new Map(tools.map((tool) => [tool.name, kept(tool)])) };
}

/** A sentence for each tool that is not as it was pinned, by its name. */
export function changesOf(pins: Pins, tools: readonly ListedTool[]): ReadonlyMap<string, string> {
  return new Map(
    tools.flatMap((tool) => {
      const before = pins.tools.get(tool.name);
      if (before === undefined) return [[tool.name, `${nameWords(tool.name)} is new: ${cut(tool.description, 0, SHOWN)}`]];
      return before.hash === tool.hash ? [] : [[tool.name, differenceOf(tool, before)]];
    }),
  );
}

function differenceOf(tool: ListedTool, before: PinnedTool): string {
  const now = pinsOf('', [tool]).tools.get(tool.name) ?? before;
  const name = nameWords(tool.name);
  if (now.description !== before.description) {
    const [said, says] = differing(before.description, now.description);
    return `${name} said: ${said}; it says now: ${says}`;
  }
  if (now.schema !== before.schema) {
    const [took, takes] = differing(before.schema, now.schema);
    return `${name} took: ${took}; it takes now: ${takes}`;
  }
  return `${name} says something else of itself, not in its description`;
}

/** What of two texts is not the same, all of it, and a little of what stands around it. */
function differing(one: string, other: string): readonly [string, string] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let same = 0;
  while (same < most - start && one[one.length - 1 - same] === other[other.length - 1 - same]) same++;
  const from = start <= AROUND ? 0 : start - AROUND;
  const end = (text: string) => (same <= AROUND ? text.length : text.length - same + AROUND);
  return [cut(one, from, end(one)), cut(other, from, end(other))];
}

/** On one line: what a server says must not look like something that we say. */
function cut(text: string, from: number, to: number): string {
  const end = Math.min(to, from + SHOWN);
  return oneLine(`${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`);
}

/** The store in that file. One change after the other: each begins with what is there by then. */
export function openPinStore(path: string): PinStore {
  let last: Promise<void> = Promise.resolve();
  return {
    read: (key) => pinsIn(asLoose(serversIn(path)[key])),
    write(key, pins) {
      last = last
        .catch(() => undefined)
        .then(() => rewrite(path, { ...serversIn(path), [key]: { launch: pins.launch, tools: Object.fromEntries(pins.tools) } }));
      return last;
    },
  };
}

function serversIn(path: string): Loose {
  const source = readTextIfPresent(path);
  if (source === null) return {};
  let content: Loose | null = null;
  try {
    content = asLoose(JSON.parse(source));
  } catch {
    // Said below.
  }
  const servers = asLoose(content?.['servers']);
  if (content?.['version'] !== VERSION || servers === null)
    throw new BuddyError(
      'config.value',
      `${path}: this is no list of servers; move it away, and the tools of all servers are looked at anew`,
    );
  return servers;
}

function pinsIn(raw: Loose | null): Pins | null {
  const tools = asLoose(raw?.['tools']);
  if (raw === null || tools === null) return null;
  const entries = Object.entries(tools).map(([name, value]) => {
    const of = asLoose(value);
    return [name, { hash: textIn(of, 'hash'), description: textIn(of, 'description'), schema: textIn(of, 'schema') }] as const;
  });
  return { launch: textIn(raw, 'launch'), tools: new Map(entries) };
}

async function rewrite(path: string, servers: Loose): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeAtomically(path, Buffer.from(`${JSON.stringify({ version: VERSION, servers }, null, 1)}\n`), 0o600);
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    throw new BuddyError('state.write', `${path} cannot be written: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}
