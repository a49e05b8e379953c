/** What doctor is asked, and what it answers. */

import type { Options } from '../cli-options.js';

export interface DoctorRequest {
  readonly options: Options;
  /** End orphans, remove what is stale. */
  readonly clean: boolean;
  /** With `clean`: end kept sessions as well. */
  readonly kept: boolean;
  readonly json: boolean;
}

/** One thing that was looked at. */
export interface Finding {
  /** What kind of thing: `node`, `terminal`, `session` … */
  readonly about: string;
  /** `problem` makes the exit code 1. `cleaned`: it was one. */
  readonly state: 'ok' | 'note' | 'problem' | 'cleaned';
  readonly text: string;
  /** What can be done about it. */
  readonly remedy?: string;
  /** The same for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
}
