/** The door for those who have a say in what the runtime does: at which points they are asked, what they are told, what they may answer. */

import type { LiveList } from '../base/live-list.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { ExtensionConflict, ExtensionInfo } from '../protocol/extensions.js';

/** In the order in which a session comes to them. */
export const hookPoints = [
  'session_start',
  'before_prompt',
  'context',
  'before_request',
  'before_tool_call',
  'after_tool_call',
  'compaction',
  'after_prompt',
  'session_end',
] as const;

/** A point at which a hook is asked. */
export type HookPoint = (typeof hookPoints)[number];

/** A tool call as a hook is told of it. */
export interface HookedCall {
  readonly tool: string;
  /** Checked by the tool, and in the words of its schema, whatever words the model had for them. */
  readonly args: unknown;
  /** Each command that a shell would run for it, also inside of others (`sudo`, `sh -c`): one word of argv each. */
  readonly commands: readonly (readonly string[])[];
  /** What about those commands could not be read for sure. */
  readonly doubts: readonly string[];
}

/** What a hook is told at its point. */
export interface HookTold {
  readonly session_start: { readonly session: string; readonly reason: 'start' | 'new' | 'resume' | 'reload' };
  readonly before_prompt: { readonly text: string };
  /** The texts of the next request, in its order; only texts can be replaced, never calls. */
  readonly context: { readonly messages: readonly { readonly role: string; readonly text: string }[] };
  readonly before_request: { readonly messages: number; readonly tools: readonly string[] };
  readonly before_tool_call: HookedCall;
  readonly after_tool_call: HookedCall & { readonly result: unknown; readonly isError: boolean };
  readonly compaction: { readonly messages: number; readonly text: string };
  readonly after_prompt: { readonly text: string; readonly answer: string; readonly outcome: 'completed' | 'cancelled' | 'failed' };
  readonly session_end: { readonly session: string };
}

/** What it may answer; null: nothing is to be changed. */
export interface HookAnswers {
  readonly session_start: null;
  /** Another text, and what the model is told besides. */
  readonly before_prompt: { readonly text?: string; readonly context?: string } | null;
  readonly context: { readonly replace: readonly { readonly index: number; readonly text: string }[] } | null;
  /** Stands behind the instructions of this one request. */
  readonly before_request: { readonly system: string } | null;
  readonly before_tool_call: { readonly block: string } | { readonly args: Readonly<Record<string, unknown>> } | null;
  readonly after_tool_call: { readonly result: unknown; readonly isError?: boolean } | null;
  readonly compaction: { readonly cancel: string } | { readonly summary: string } | null;
  readonly after_prompt: null;
  readonly session_end: null;
}

/** One who has hooks. */
export interface Hooked {
  readonly name: string;
  readonly points: readonly HookPoint[];
  /** Rejects with what went wrong, or with an AbortError when the signal fired. The answer is checked by whoever asked. */
  call<P extends HookPoint>(point: P, told: HookTold[P], signal: AbortSignal): Promise<unknown>;
  /** It is never asked again, and nothing else of it is used. People are told why, once. */
  disable(why: string): void;
}

/** All extensions of a run, as the runtime knows them. */
export interface ExtensionHost {
  /** Those that can be asked now, in the order in which they count. */
  hooked(): readonly Hooked[];
  /** True once that is so. */
  readonly isReady: boolean;
  /** Starts them. Resolves when each of them is there or given up; never rejects but with an AbortError. */
  ready(signal: AbortSignal): Promise<void>;
  /** What they have to say by themselves: notices, widgets, keys. From the first listener on. */
  readonly onEvent: (listener: (event: RuntimeEvent) => void) => { dispose(): void };
  /** What a command of theirs wants said to the model in the person's name. */
  readonly onPrompt: (listener: (text: string) => void) => { dispose(): void };
  describe(): { readonly extensions: readonly ExtensionInfo[]; readonly conflicts: readonly ExtensionConflict[] };
  /** Looks anew for all that is loaded, and starts it anew. Resolves with a sentence for people. */
  reload(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Themes by their name, as the files in themes/ say them. */
export type OfferedThemes = LiveList<{ readonly name: string; readonly source: Readonly<Record<string, unknown>> }>;
