/** What a server says, before any of it is believed. */

/** An object of JSON. */
export type Loose = Readonly<Record<string, unknown>>;

/** The object, or null. */
export function asLoose(value: unknown): Loose | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : null;
}

/** The list, or an empty one. */
export function listIn(of: Loose, key: string): readonly unknown[] {
  const value = of[key];
  return Array.isArray(value) ? value : [];
}

/** The text, or `otherwise`. */
export function textIn(of: Loose | null, key: string, otherwise = ''): string {
  const value = of?.[key];
  return typeof value === 'string' ? value : otherwise;
}

/** The text without its line ends, for a sentence: what a server says must not look like a line of ours. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What a server calls something, for a sentence: in quotes when more than a name could be read in it. */
export function nameWords(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : JSON.stringify(name);
}
