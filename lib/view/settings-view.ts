/** The settings as data: what is listed, what is being written, what was answered, what is asked. */

import type { NoticeLevel } from './transcript.js';

/** One setting. Values are as the file would have them. */
export interface SettingEntry {
  readonly key: string;
  /** What it is for. */
  readonly says: string;
  /** What the next start will have. */
  readonly value: string;
  /** The same for changing it. */
  readonly typed: string;
  /** What this run has, as far as the settings go. */
  readonly running: string;
  readonly initial: string;
  /** `default`, `buddy.toml:12`, `BUDDY_MODEL`, `--tmux`, the path and line of a project's file. */
  readonly origin: string;
  /** What the person's own file says, when something else stands above it; null: nothing does. */
  readonly hidden: string | null;
  /** The person's own file has a line for it. */
  readonly isWritten: boolean;
  readonly expected: string;
  /** All that can be written, or what is offered; none: anything. */
  readonly words: readonly string[];
  readonly isFlag: boolean;
  /** A change holds at once, not from the next start on. */
  readonly isLive: boolean;
  /** What a trusted project may do with it; null: nothing. */
  readonly project: string | null;
}

/** All of them as they were found. */
export interface SettingsListing {
  readonly entries: readonly SettingEntry[];
  /** Where changes are written. */
  readonly file: string;
  /** Stands for the content of that file: it must be the same when something is changed. */
  readonly seen: string;
}

/** A value that is being typed. `problem`: why it was not taken. */
export interface SettingDraft {
  readonly key: string;
  readonly text: string;
  readonly problem: string | null;
}

/** The part of the state that is about them. */
export interface SettingsView {
  /** Null: nobody has looked. */
  readonly listing: SettingsListing | null;
  /** It was asked for. */
  readonly asked: boolean;
  readonly draft: SettingDraft | null;
  /** What became of the last change, while the list is open. */
  readonly said: { readonly level: NoticeLevel; readonly text: string } | null;
  /** What was set for this session only, by key. */
  readonly session: Readonly<Record<string, string>>;
}

/** Before anything was looked at. */
export const freshSettings: SettingsView = { listing: null, asked: false, draft: null, said: null, session: {} };

/** What is asked of them. `by`: whether the answer stands in the open list or in the conversation. */
export type SettingsAsk =
  | { readonly kind: 'look' }
  /** All of them, or the one with that key, in lines. */
  | { readonly kind: 'tell'; readonly key: string | null }
  | { readonly kind: 'set'; readonly key: string; readonly text: string; readonly by: 'list' | 'line' }
  | { readonly kind: 'reset'; readonly key: string; readonly by: 'list' | 'line' };
