/** What the program and the thread of an extension say to each other: JSON texts, one a message. */

import type { HookPoint } from '../../runtime/hooks.js';

/** The largest message that a thread may send, and the largest that it gets (characters). */
export const LARGEST_MESSAGE = 8 * 1024 * 1024;

/** What can be asked of an extension. */
export type Asked =
  | { readonly what: 'tool'; readonly name: string; readonly input: unknown }
  | { readonly what: 'command'; readonly name: string; readonly input: string }
  | { readonly what: 'stream'; readonly name: string; readonly input: unknown }
  | { readonly what: 'hook'; readonly name: HookPoint; readonly input: unknown };

/** To the thread. */
export type ToThread =
  | ({ readonly type: 'ask'; readonly id: number } & Asked)
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'ping'; readonly id: number };

/** From the thread. What it says is checked field by field. */
export type FromThread =
  | { readonly type: 'loaded'; readonly manifest: unknown }
  | { readonly type: 'unloadable'; readonly why: string }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'thrown'; readonly id: number; readonly why: string }
  | { readonly type: 'pong'; readonly id: number }
  | { readonly type: 'report'; readonly id: number; readonly text: string }
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'notify'; readonly text: string }
  | { readonly type: 'widget'; readonly id: string; readonly widget: unknown };

/** What a thread is started with. */
export interface ThreadInput {
  /** The module of the extension, absolute. */
  readonly path: string;
  /** What `buddy-tui/extension` is for it, absolute. */
  readonly api: string;
  readonly cwd: string;
}
