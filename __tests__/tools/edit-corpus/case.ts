/** What a case of the corpus is. */

/** A file, a call, and what comes of it. */
export interface EditCase {
  readonly name: string;
  /** Null: there is no such file. */
  readonly file: string | Uint8Array | null;
  /** The arguments without `path` and `why`; or all of them, when they are no object. */
  readonly args: unknown;
  /** The file afterwards. */
  readonly becomes?: string;
  /** What the error says; the file stays as it is. */
  readonly fails?: readonly string[];
  /** What the model is told besides. */
  readonly notes?: readonly string[];
  /** The first line that changes. */
  readonly line?: number;
}

type Texts = readonly [oldText: string, newText: string];

/** The arguments in the right shape. */
export function edits(...all: readonly Texts[]): unknown {
  return { edits: all.map(([oldText, newText]) => ({ oldText, newText })) };
}

/** A case with one edit that succeeds. */
export function becomes(name: string, file: string, oldText: string, newText: string, after: string, line?: number): EditCase {
  return { name, file, args: edits([oldText, newText]), becomes: after, ...(line === undefined ? {} : { line }) };
}

/** A case with one edit that fails. */
export function fails(
  name: string,
  file: string | Uint8Array | null,
  oldText: string,
  newText: string,
  ...words: readonly string[]
): EditCase {
  return { name, file, args: edits([oldText, newText]), fails: words };
}
