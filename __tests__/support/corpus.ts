/** Files of a public corpus that lies packed beside this tree, and is not part of it. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** One file, by its path in the corpus. */
export interface CorpusFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const folder = join(process.cwd(), '../shared/corpora');

/** All files of `../shared/corpora/<archive>` whose name ends so; empty (and a word on standard error) when it is not there. */
export function packedCorpus(archive: string, ending: string): readonly CorpusFile[] {
  const path = join(folder, archive);
  if (!existsSync(path)) {
    process.stderr.write(`skipped: ${path} is not there\n`);
    return [];
  }
  const unpacked = mkdtempSync(join(tmpdir(), 'buddy-corpus-'));
  try {
    execFileSync('tar', ['xzf', path, '-C', unpacked]);
    return readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
      .map((name) => join(unpacked, name))
      .filter((file) => file.endsWith(ending) && statSync(file).isFile())
      .sort()
      .map((file) => ({ name: relative(unpacked, file), bytes: readFileSync(file) }));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** The text of one file of the corpora, or null (and a word on standard error) when it is not there. */
export function corpusText(name: string): string | null {
  const path = join(folder, name);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  process.stderr.write(`skipped: ${path} is not there\n`);
  return null;
}
