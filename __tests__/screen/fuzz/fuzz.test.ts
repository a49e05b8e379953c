/** 20 000 random happenings from fixed seeds. `npm run fuzz -- SEED COUNT` runs others. */

import { loadMarkdown } from '../../../lib/view/rows/markdown.js';
import { fuzz } from './run.js';

const lex = await loadMarkdown();
const PER_SEED = 1000;
const wanted = /^(\d+) (\d+)$/.exec(process.env['BUDDY_FUZZ'] ?? '');
const first = Number(wanted?.[1] ?? 1);
const count = Number(wanted?.[2] ?? 20_000);
const seeds = Array.from({ length: Math.ceil(count / PER_SEED) }, (_, i) => first + i);

test.each(seeds)('seed %d', (seed) => fuzz(seed, PER_SEED, lex), 120_000);
