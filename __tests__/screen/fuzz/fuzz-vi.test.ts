/** 10 000 random happenings more, with vi keys. */

import { loadMarkdown } from '../../../lib/view/rows/markdown.js';
import { fuzz, runsFrom } from './run.js';

const lex = await loadMarkdown();

test.each(runsFrom(11))('seed %d, %d happenings', (seed, count) => fuzz(seed, count, 'vi', lex), 120_000);
