/** What of a listing the ignore rules leave out: the same rules whatever program made the list. */

import { posix } from 'node:path';
import { type IgnoreRules, isIgnored, parseIgnore } from '../../base/ignore-rules.js';
import type { Pause } from '../../base/unhurried.js';
import type { LookRequest } from '../../targets/target.js';
import { type Entry, type Listing, RULES_NAMES, type RulesFile } from './listing-script.js';
import { textOf } from './names.js';

/** The nearest to the top are read; nobody has more of them. */
const MOST_RULES = 500;
/** What git and this program keep in a folder. */
const NEVER = ['.git', '.buddyx'];
const RULES_LIMITS = { mostBytes: 8 * 1024 * 1024, mostMs: 15_000 };

/** Prints name and content of each regular file in its input. */
const READ_RULES = `LC_ALL=C; export LC_ALL
cd "$1" || exit 44
exec xargs -0 sh -c 'for f; do
[ -f "$f" ] && [ ! -L "$f" ] && { printf "%s\\0" "$f"; head -c 262144 "$f" | tr -d "\\000"; printf "\\0"; }
done' sh`;

/** How the files of rules below the folder, which was listed as `path`, are read; null: there are none. */
export async function nestedRules(path: string, { real, above, entries }: Listing, pause: Pause): Promise<LookRequest | null> {
  const tree = new IgnoreTree(real, above, []);
  const wanted: Entry[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at % 500 === 499) await pause();
    if (entry.kind !== 'file' || !entry.path.includes('/') || !isRulesName(posix.basename(entry.path))) continue;
    if (!tree.leavesOut(posix.dirname(entry.path), true)) wanted.push(entry);
  }
  wanted.sort((a, b) => a.path.split('/').length - b.path.split('/').length).splice(MOST_RULES);
  if (wanted.length === 0) return null;
  const input = Buffer.from(wanted.map((entry) => `./${entry.path}\0`).join(''), 'latin1');
  return { argv: ['sh', '-c', READ_RULES, 'sh', path], input, ...RULES_LIMITS };
}

/** What that printed. */
export function readRules(stdout: Buffer): readonly RulesFile[] {
  const records = stdout.toString('latin1').split('\0');
  const files: RulesFile[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) files.push({ path: records[at]?.slice(2) ?? '', text: records[at + 1] ?? '' });
  return files;
}

/** The entries that the rules leave in, in their order; never anything of `.git`, nor of our own conversations. */
export async function leftIn({ real, above, entries }: Listing, nested: readonly RulesFile[], pause: Pause): Promise<readonly Entry[]> {
  const tree = new IgnoreTree(real, above, nested);
  const kept: Entry[] = [];
  for (const [at, entry] of entries.entries()) {
    // A file of rules may hold thousands of them.
    if (at % 10 === 9) await pause();
    if (!tree.leavesOut(entry.path, entry.kind === 'folder')) kept.push(entry);
  }
  return kept;
}

function isRulesName(name: string): boolean {
  return RULES_NAMES.some((known) => known === name);
}

/** Remembers of each folder what it comes to. */
class IgnoreTree {
  readonly #own = new Map<string, IgnoreRules[]>();
  readonly #rules = new Map<string, readonly IgnoreRules[]>();
  readonly #folders = new Map<string, boolean>();

  constructor(real: string, above: readonly RulesFile[], nested: readonly RulesFile[]) {
    const top = above.map(({ path, text }): IgnoreRules => {
      const place = path.endsWith('/.git/info/exclude') ? path.slice(0, -'.git/info/exclude'.length) : `${posix.dirname(path)}/`;
      const below = posix.relative(textOf(place), textOf(real));
      return { folder: '', below: below === '' ? '' : `${below}/`, rules: parseIgnore(textOf(text)) };
    });
    this.#rules.set('.', top);
    for (const { path, text } of RULES_NAMES.flatMap((name) => nested.filter(({ path }) => posix.basename(path) === name))) {
      const folder = posix.dirname(path);
      const known = this.#own.get(folder) ?? [];
      this.#own.set(folder, [...known, { folder: `${textOf(folder)}/`, below: '', rules: parseIgnore(textOf(text)) }]);
    }
  }

  leavesOut(path: string, isFolder: boolean): boolean {
    const known = isFolder ? this.#folders.get(path) : undefined;
    if (known !== undefined) return known;
    const folder = posix.dirname(path);
    const out =
      NEVER.includes(posix.basename(path)) ||
      (folder !== '.' && this.leavesOut(folder, true)) ||
      isIgnored(this.#rulesIn(folder), textOf(path), isFolder);
    if (isFolder) this.#folders.set(path, out);
    return out;
  }

  #rulesIn(folder: string): readonly IgnoreRules[] {
    const known = this.#rules.get(folder);
    if (known !== undefined) return known;
    const rules = [...this.#rulesIn(posix.dirname(folder)), ...(this.#own.get(folder) ?? [])];
    this.#rules.set(folder, rules);
    return rules;
  }
}
