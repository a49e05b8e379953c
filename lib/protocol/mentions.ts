/** `@` in what a person writes: `@notes.md`, `@"a b.txt"`, `@pane`. An address (`me@host`) is none, nor is what stands behind a backslash. Pure. */

/** One of them. */
export interface Mention {
  /** As it stands there, with the `@`. */
  readonly raw: string;
  /** What may stand behind the `@`, the likeliest first: a dot or a bracket at its end may be of the sentence. */
  readonly words: readonly string[];
}

/** What can stand behind an `@` that is being written. */
export interface MentionChoice {
  /** All of it, without the `@`. */
  readonly word: string;
  readonly says: string;
}

/** So much of a text is looked through, and so many are found at most; no path is longer than such a word. */
const MOST = { characters: 100_000, mentions: 32, word: 4096 } as const;
/** What may stand before the `@`. */
const MENTION = /(?<=^|[\s([{"'=:,])@(?:"([^"\n]+)"|([^\s@"]+))/g;
/** What may stand behind a word and belong to the sentence. */
const SENTENCE = /[.,;:!?)\]}>'"`]+$/;
/** Words that need no quotes. */
const PLAIN = /^[^\s"@]*[^\s"@.,;:!?)\]}>'`]$/;

/** The mentions of a text, each once, in their order. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [raw, quoted, plain = ''] of text.slice(0, MOST.characters).matchAll(MENTION)) {
    if (found.size >= MOST.mentions) break;
    if ((quoted ?? plain).length > MOST.word) continue;
    const words = quoted !== undefined ? [quoted] : [...new Set([plain, plain.replace(SENTENCE, '')])].filter((word) => word !== '');
    if (words[0] !== undefined && !found.has(words[0])) found.set(words[0], { raw, words });
  }
  return [...found.values()];
}

/** `word` behind an `@`, in quotes where it must be; null when it cannot be written so. */
export function mentionOf(word: string): string | null {
  if (/["\n]/.test(word)) return null;
  return PLAIN.test(word) ? `@${word}` : `@"${word}"`;
}
