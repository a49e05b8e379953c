/** The door for what can stand behind an `@`: one row for each kind of thing. */

import type { MentionChoice } from '../../protocol/mentions.js';
import type { AttachmentKind, ImagePart } from '../../protocol/messages.js';

/** What was found. */
export interface Brought {
  readonly kind: AttachmentKind;
  /** As people and the model are told: a path, `server:uri`. */
  readonly name: string;
  /** In the frame, as `name="value"`: `path`, `uri`. */
  readonly about: Readonly<Record<string, string>>;
  /** As it is; whoever asks puts it into a frame. Of a picture ''. */
  readonly text: string;
  /** Made fit to be sent when it is all there is (`image`); of any other kind as it is: whoever asks makes it fit. */
  readonly image?: ImagePart;
  /** Of what is sent; left out: that of `text`. */
  readonly bytes?: number;
  /** What is to be known of it, in a few words: `the first 64 kB of 2 MB`. */
  readonly note?: string;
}

/** Found, or why not: `refused` is a sentence without its end, told to the person. Null: there is no such thing, and the words are no mention. */
export type Found = Brought | { readonly refused: string } | null;

/** How it is looked at. */
export interface MentionLook {
  /** That one text may have. */
  readonly mostBytes: number;
  /** False: only its size is asked for; a text may be left out and a picture not be decoded. */
  readonly whole: boolean;
}

/** One row. The first that `fits` a word is asked, and no other. */
export interface MentionSource {
  /** Is the word (what stands behind the `@`) one of this kind, whether it exists or not? */
  fits(word: string): boolean;
  /** Rejects only with an AbortError or a BuddyError, whose sentence is told. */
  find(word: string, look: MentionLook, signal: AbortSignal): Promise<Found>;
  /** What could be meant that begins like `typed`, a few of them; asked while a person types any mention. Left out: nothing is offered. Rejects as `find`. */
  complete?(typed: string, signal: AbortSignal): Promise<readonly MentionChoice[]>;
}
