/** Addresses that no page may lead to, in every spelling and tunnel, and some that are fine; from the shared corpus. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Corpus {
  readonly block: readonly (readonly [address: string, what: string])[];
  readonly allow: readonly string[];
}

const NAME = '../shared/corpora/own/ssrf-addresses.json';
const path = join(process.cwd(), NAME);
const isThere = existsSync(path);
const missing = `(${NAME} is missing)`;
const corpus: Corpus = isThere ? (JSON.parse(readFileSync(path, 'utf8')) as Corpus) : { block: [[missing, '']], allow: [missing] };

/** Each of them is this machine, a private or reserved network, the metadata of a cloud, or leads there. */
export const closedAddresses: readonly string[] = corpus.block.map(([address]) => address);

/** Of the public internet. */
export const publicAddresses: readonly string[] = corpus.allow;

/** A test for each address; skipped, with a word, where the corpus is not. */
export const testEachAddress = isThere ? test.each : test.skip.each;
