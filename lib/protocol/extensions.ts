/** What people are told of extensions, and what extensions show. */

/** One extension as it stands. */
export interface ExtensionInfo {
  readonly name: string;
  /** `built in`, or the path of what was loaded. */
  readonly from: string;
  readonly state: 'starting' | 'running' | 'disabled';
  /** Why it is disabled; null when it is not. */
  readonly why: string | null;
  readonly tools: readonly string[];
  /** Without the slash. */
  readonly commands: readonly string[];
  readonly hooks: readonly string[];
  readonly themes: readonly string[];
}

/** A thing that was left out because another one has its name. */
export interface ExtensionConflict {
  readonly kind: 'extension' | 'tool' | 'command' | 'theme' | 'model';
  readonly name: string;
  /** Whose it is, and who has the name already. */
  readonly from: string;
  readonly first: string;
}

/** Lines that an extension keeps on the screen. */
export interface ExtensionWidget {
  /** Of two with one id the later one takes the place of the earlier one. */
  readonly id: string;
  /** Whose it is. */
  readonly extension: string;
  readonly title: string;
  /** `side`: in the right column when there is one, else above the editor as well. */
  readonly place: 'side' | 'above-editor';
  /** Raw text, a line each. */
  readonly lines: readonly string[];
}

/** A key that stands for a slash command. Keys of the program itself come first. */
export interface OfferedKey {
  /** As in `[keys]`: `alt+t`. */
  readonly key: string;
  /** `/todo list`. */
  readonly line: string;
  readonly says: string;
  readonly from: string;
}
