/** How models spell the fields of an edit: compared without capitals, blanks, `_` and `-`, so that `old_text` and `oldText` are one. */

/** What a field means. */
export type Meaning = 'path' | 'edits' | 'oldText' | 'newText' | 'replaceAll' | 'why';

/** The spellings of each; the first is the right one. The others are those of older versions and of other programs' tools. */
const spellings: Readonly<Record<Meaning, string>> = {
  path: 'path filepath filename file targetfile absolutepath',
  edits: 'edits edit changes replacements multi operations',
  oldText: 'oldtext oldstring oldstr old oldcontent oldcode search searchtext searchstring find original originaltext',
  newText:
    'newtext newstring newstr new newcontent newcode replace replacetext replacewith replacement replacementtext updated updatedtext',
  replaceAll: 'replaceall all',
  why: 'why reason explanation',
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  (Object.keys(spellings) as Meaning[]).flatMap((meaning) =>
    spellings[meaning].split(' ').map((name): [string, Meaning] => [name, meaning]),
  ),
);

/** A field as it was given. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
}

/** The fields of an object by what they mean, in the order they were given; those that are null are left out as if nobody had given them. */
export interface Fields {
  readonly of: (meaning: Meaning) => readonly Field[];
  /** Names that mean nothing here. */
  readonly unknown: readonly string[];
}

/** Sorts the fields of `given`. */
export function fieldsOf(given: Readonly<Record<string, unknown>>): Fields {
  const sorted = Object.entries(given).map(([name, value]) => ({
    name,
    value,
    meaning: meanings.get(name.toLowerCase().replace(/[\s_-]/g, '')),
  }));
  return {
    of: (meaning) => sorted.filter((field) => field.meaning === meaning && field.value !== null && field.value !== undefined),
    unknown: sorted.filter((field) => field.meaning === undefined).map(({ name }) => name),
  };
}
