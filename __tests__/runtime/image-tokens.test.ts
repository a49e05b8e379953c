/** What a picture costs by the formulas of the vendors' pages: the largest counts. */

import { imageTokens } from '../../lib/runtime/image-tokens.js';

test.each([
  // Anthropic: 200 × 200 / 750 is 54; OpenAI: one tile, 85 + 170.
  [{ width: 200, height: 200 }, 255],
  // Anthropic's page: 1000 × 1000 is 1334; OpenAI: made 768 × 768, four tiles, 765.
  [{ width: 1000, height: 1000 }, 1334],
  // Made 1568 × 1176: 2459; OpenAI 1365 × 1024 … 1024 × 768: 765; 1536 patches at most.
  [{ width: 2000, height: 1500 }, 2459],
  [{ width: 1, height: 1 }, 255],
  // Nobody said: as large as they come.
  [{}, 3279],
])('%j', (size, tokens) => {
  expect(imageTokens(size)).toBe(tokens);
});
