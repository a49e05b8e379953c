/** How far the person is with a question, a rule that they make of it, and an answer in words: parts of the state. */

import type { RuleChoice } from '../protocol/rules.js';
import type { Editor } from './editor/model.js';

/** Words that are written as an answer to a question; the draft waits meanwhile. */
export interface Answering {
  readonly kind: 'feedback' | 'edit';
  readonly approval: string;
  readonly sinceMs: number;
  readonly draft: Editor;
}

/** How far the person is with the question in front. */
export interface ApprovalReading {
  readonly id: string;
  /** When a frame with it was first on the screen; null: not yet. */
  readonly shownAtMs: number | null;
  /** When a key that was no answer was last pressed: whoever writes is not answering. */
  readonly quietSinceMs: number;
  /** The first row of the body that is shown. */
  readonly top: number;
  /** How far it has been on the screen, from its start without a gap: characters of the body, or rows of the changes. */
  readonly seen: number;
  /** In what `seen` is counted (see `measureOf`). */
  readonly measure: string;
  /** All of it has been on the screen. */
  readonly read: boolean;
  readonly expanded: boolean;
  /** The whole text of a file is shown instead of what changes in it. */
  readonly whole: boolean;
}

/** A rule that is being made of the question in front. */
export interface Ruling {
  readonly approval: string;
  readonly choice: RuleChoice;
  /** When a frame with this choice was first on the screen; null: not yet. */
  readonly shownAtMs: number | null;
  /** When a key was last pressed. */
  readonly sinceMs: number;
}
