/** A session as a list and a screen know it. */

/** The id of a session: letters, digits, dots, dashes. */
export type SessionId = string;

/** What a session can be written as for people and programs. */
export const exportFormats = ['md', 'html', 'jsonl', 'cast'] as const;

/** One of them. */
export type ExportFormat = (typeof exportFormats)[number];

/** One kept session. */
export interface SessionSummary {
  readonly session: SessionId;
  /** Given by a person; null: none was. */
  readonly name: string | null;
  /** How it began: the first prompt. */
  readonly title: string;
  /** The newest prompt that has ended; '' when that is not known. */
  readonly latest: string;
  /** Given by a person to places in it, the newest last. */
  readonly labels: readonly string[];
  /** Of its file. */
  readonly bytes: number;
  /** Prompts that have ended; null: not known. */
  readonly prompts: number | null;
  /** Where its commands ran, as a person knows it. */
  readonly target: string;
  /** When it was last written to (wall clock, milliseconds). */
  readonly updatedMs: number;
  /** Why it is not taken for one of this person's in this folder; null: it is. */
  readonly foreign: string | null;
  /** Another program writes it now. */
  readonly open: boolean;
}

/** The end of a kept session. */
export interface SessionPreview {
  readonly session: SessionId;
  /** The folder that it belongs to; '' when there is nothing to see. */
  readonly cwd: string;
  /** The profile that was used last. */
  readonly model: string | null;
  /** The last that was said, the oldest first. */
  readonly said: readonly { readonly by: 'person' | 'model'; readonly text: string }[];
}
