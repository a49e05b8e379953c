/**
 * The width of one grapheme cluster: the rules of string-width 8 (which a test compares with), without its start: compiling
 * `\p{RGI_Emoji}` and `Intl.Segmenter` takes 60 ms, so here that waits for the first cluster that needs it.
 */

import { eastAsianWidth } from 'get-east-asian-width';

/** A value made at its first use. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const VISIBLE = lazy(() => /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u);
const SPACING_MARK = lazy(() => /\p{Mc}/u);
/** A text and no literal: the `v` flag is newer than the language level we compile to. */
const RGI_EMOJI_SOURCE = '^\\p{RGI_Emoji}$';
const RGI_EMOJI = lazy(() => new RegExp(RGI_EMOJI_SOURCE, 'v'));
const KEYCAP = /^[\d#*]\u20e3$/;
const PICTOGRAPHIC = lazy(() => /\p{Extended_Pictographic}/gu);
/** Longer clusters are marks upon marks, no emoji. */
const LONGEST_EMOJI = 50;

const isLeadingJamo = (code: number) => (code >= 0x1100 && code <= 0x115f) || (code >= 0xa960 && code <= 0xa97c);
const isVowelJamo = (code: number) => (code >= 0x1160 && code <= 0x11a7) || (code >= 0xd7b0 && code <= 0xd7c6);
const isTrailingJamo = (code: number) => (code >= 0x11a8 && code <= 0x11ff) || (code >= 0xd7cb && code <= 0xd7fb);
const isJamo = (code: number) => isLeadingJamo(code) || isVowelJamo(code) || isTrailingJamo(code);

/** Cells that `cluster` takes by itself; it may be more than two for clusters that no terminal joins. */
export function measureCluster(cluster: string): number {
  const codes = Array.from(cluster, (character) => character.codePointAt(0) ?? 0);
  if (codes.length > 1 && isEmojiSequence(cluster)) return 2;
  const first = cluster.search(VISIBLE());
  if (first < 0) return 0;
  const visible = Array.from(cluster.slice(first), (character) => character.codePointAt(0) ?? 0);
  return hangulWidth(visible) ?? eastAsianWidth(visible[0] ?? 0) + trailingWidth(visible.slice(1));
}

function isEmojiSequence(cluster: string): boolean {
  if (cluster.length > LONGEST_EMOJI) return false;
  if (KEYCAP.test(cluster) || RGI_EMOJI().test(cluster)) return true;
  return cluster.includes('\u200d') && (cluster.match(PICTOGRAPHIC()) ?? []).length >= 2;
}

/** Jamo that make a syllable share two cells, others stand side by side; null when the cluster begins with none. */
function hangulWidth(codes: readonly number[]): number | null {
  const shown = codes.filter((code) => VISIBLE().test(String.fromCodePoint(code)));
  let width = 0;
  for (let index = 0; index < shown.length; index++) {
    const code = shown[index] ?? 0;
    if (!isJamo(code)) {
      if (width === 0) return null;
      return shown.slice(index).reduce((sum, rest) => sum + eastAsianWidth(rest), width);
    }
    if (isLeadingJamo(code) && isVowelJamo(shown[index + 1] ?? 0)) {
      width += 2;
      index += isTrailingJamo(shown[index + 2] ?? 0) ? 2 : 1;
    } else width += eastAsianWidth(code);
  }
  return width;
}

/** Spacing marks and half- or full-width forms within a cluster take cells of their own. */
function trailingWidth(codes: readonly number[]): number {
  return codes
    .filter((code) => (code >= 0xff00 && code <= 0xffef) || SPACING_MARK().test(String.fromCodePoint(code)))
    .reduce((sum, code) => sum + eastAsianWidth(code), 0);
}
