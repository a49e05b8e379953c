/** What the working folder would bring along, and whether the person trusts it. */

/**
 * `nothing`: there is nothing to trust. `untrusted`: nobody was asked. `changed`: what was trusted is not what is there now. `muted`: the person
 * wants to hear no more of it. Only of `trusted` anything is in force.
 */
export type FolderTrust = 'nothing' | 'untrusted' | 'changed' | 'trusted' | 'muted';

/** What is known of the folder without reading what its files say. */
export interface FolderState {
  /** Its real path. */
  readonly folder: string;
  readonly trust: FolderTrust;
  /** Names of the files that would be read, such as `buddy.toml`. */
  readonly files: readonly string[];
}

/** One key of a project's file. */
export interface ProjectLine {
  readonly key: string;
  /** `buddy.toml:3`. */
  readonly where: string;
  /** What becomes of it: `20 → 5`, or why it is refused. */
  readonly says: string;
  /** False: it is refused, whether the folder is trusted or not. */
  readonly applies: boolean;
}

/** All that a question about the folder shows. */
export interface ProjectListing extends FolderState {
  readonly lines: readonly ProjectLine[];
  /** Sentences about files that are not read whatever is said, and about what else lies there. */
  readonly notes: readonly string[];
  /** Sentences about what is not as it was when the folder was trusted; empty when it never was. */
  readonly changes: readonly string[];
  /** Of the files that are shown (SHA-256, hex): a yes is for these and no others. */
  readonly hash: string;
}

/** What a person can say to it. `revoke` takes an earlier word back. */
export type TrustChoice = 'trust' | 'mute' | 'revoke';
