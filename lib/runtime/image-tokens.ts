/** What a picture costs, as the vendors say. */

import type { ImagePart } from '../protocol/messages.js';

type Size = Readonly<Required<Pick<ImagePart, 'width' | 'height'>>>;

/** Anthropic, "Vision": made to fit into 1568 pixels a side, then width × height / 750. */
const ANTHROPIC = { side: 1568, pixelsPerToken: 750 } as const;
/** OpenAI, "Images and vision", models that count tiles: fitted into 2048, the short side to 768; 85, and 170 for each 512 × 512. */
const TILES = { side: 2048, short: 768, tile: 512, base: 85, each: 170 } as const;
/** The same page, models that count patches: 32 × 32 each, 1536 of them at most. */
const PATCHES = { side: 32, most: 1536 } as const;
/** Of a picture whose size is not known. */
const UNKNOWN: Size = { width: 1568, height: 1568 };

/** Tokens of a picture, by the formula that gives the most: which one counts only the server knows, and what it reports corrects it. */
export function imageTokens(image: Partial<Size>): number {
  const size = { width: image.width ?? UNKNOWN.width, height: image.height ?? UNKNOWN.height };
  return Math.max(anthropicTokens(size), tileTokens(size), patchTokens(size));
}

function anthropicTokens(size: Size): number {
  const { width, height } = fitted(size, ANTHROPIC.side / Math.max(size.width, size.height));
  return Math.ceil((width * height) / ANTHROPIC.pixelsPerToken);
}

function tileTokens(size: Size): number {
  const inside = fitted(size, TILES.side / Math.max(size.width, size.height));
  const { width, height } = fitted(inside, TILES.short / Math.min(inside.width, inside.height));
  return TILES.base + TILES.each * Math.ceil(width / TILES.tile) * Math.ceil(height / TILES.tile);
}

function patchTokens({ width, height }: Size): number {
  return Math.min(PATCHES.most, Math.ceil(width / PATCHES.side) * Math.ceil(height / PATCHES.side));
}

/** Made smaller by `scale`; never larger. */
function fitted({ width, height }: Size, scale: number): Size {
  return scale >= 1 ? { width, height } : { width: Math.round(width * scale), height: Math.round(height * scale) };
}
