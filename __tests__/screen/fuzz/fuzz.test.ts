/** 10 000 random happenings from fixed seeds, with the keys of every day. `npm run fuzz -- SEED COUNT` runs others. */

import { loadMarkdown } from '../../../lib/view/rows/markdown.js';
import { fuzz, runsFrom } from './run.js';

const lex = await loadMarkdown();

test.each(runsFrom(1))('seed %d, %d happenings', (seed, count) => fuzz(seed, count, 'emacs', lex), 120_000);
