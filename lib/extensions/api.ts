/**
 * What an extension is made of, for those who write one: the entry `buddy-tui/extension` of the package. Nothing of the program is needed to
 * read this file. An extension runs in a thread of its own, with your rights; all that it gets and gives is plain JSON.
 */

/** A value that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Arguments of a call. */
export type Arguments = Readonly<Record<string, Json>>;

/** What everything of an extension can use while it runs. */
export interface Context {
  /** Fires when the person interrupts (a slash command: when the program is left), or its time is over. */
  readonly signal: AbortSignal;
  /** The working folder of the program. */
  readonly cwd: string;
  /** A line for the log (`-v`); nobody sees it on the screen. */
  log(text: string): void;
  /** A line in the conversation, for the person only. */
  notify(text: string): void;
  /** Shows lines, in the place of what was shown under that id before; null takes them away. Plain text, at most 20 lines. */
  setWidget(id: string, widget: Widget | null): void;
}

/** Lines on the screen. */
export interface Widget {
  readonly title: string;
  readonly lines: readonly string[];
  /** Default `above-editor`. `side`: in the right column where there is one. */
  readonly place?: 'side' | 'above-editor';
}

/** What a tool can use while it runs. */
export interface ToolContext extends Context {
  /** Output as it comes, for the person; it is not the result. */
  report(text: string): void;
}

/** What a tool answers: a text, or this. */
export interface ToolAnswer {
  /** For the model. */
  readonly result: Json;
  /** For the person who opens the card. Default: the result. */
  readonly text?: string;
  /** A few words on the card. */
  readonly summary?: string;
  readonly isError?: boolean;
}

/** Something that the model may call. */
export interface ToolDefinition {
  /** Lower case letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /**
   * JSON Schema of an object. What does not fit its types, enums, bounds, required and unknown properties never reaches `run`; the model is told
   * the rest of it (`pattern`, `anyOf`, `$ref`), and nobody checks that.
   */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `ask` (default): the person sees all arguments and says yes. `allow`: it only looks, and nobody is asked. */
  readonly review?: 'ask' | 'allow';
  /** What it throws is what the model is told. Never block the thread: an extension that gives no sign for 5 seconds is ended. */
  run(args: Arguments, context: ToolContext): Promise<string | ToolAnswer> | string | ToolAnswer;
}

/** A slash command. */
export interface CommandDefinition {
  /** Without the slash: lower case letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it does, for help and completion. */
  readonly says: string;
  /** The arguments as help shows them: `add TEXT | list`. */
  readonly args?: string;
  /** A text that it answers is told to the person; `{ prompt }` is said to the model in their name. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an author's function may answer nothing.
  run(args: string, context: Context): Promise<CommandAnswer | void> | CommandAnswer | void;
}

/** What a command answers. */
export type CommandAnswer = string | { readonly prompt: string };

/** A tool call as hooks are told of it. */
export interface HookedCall {
  readonly tool: string;
  /** In the words of the schema of the tool, whatever words the model had for them. */
  readonly args: Arguments;
  /** Each command that a shell would run for it, also behind `sudo` and inside of `sh -c`: the words of its argv. */
  readonly commands: readonly (readonly string[])[];
  /** What about those could not be read for sure. */
  readonly doubts: readonly string[];
}

// biome-ignore lint/suspicious/noConfusingVoidType: an author's function may answer nothing.
type Answer<T> = Promise<T | null | undefined | void> | T | null | undefined | void;

/** Functions that are asked at points of a session, each within `extensions.hook_timeout_ms`. One that throws or hangs disables its extension. */
export interface Hooks {
  session_start?(
    told: { readonly session: string; readonly reason: 'start' | 'new' | 'resume' | 'reload' },
    context: Context,
  ): Answer<never>;
  session_end?(told: { readonly session: string }, context: Context): Answer<never>;
  /** Another text for the prompt, or something that the model is told besides. */
  before_prompt?(told: { readonly text: string }, context: Context): Answer<{ readonly text?: string; readonly context?: string }>;
  after_prompt?(
    told: { readonly text: string; readonly answer: string; readonly outcome: 'completed' | 'cancelled' | 'failed' },
    context: Context,
  ): Answer<never>;
  /** A guard: `block` with a reason for the model, or other arguments, which are reviewed like any. What fails here blocks the call. */
  before_tool_call?(told: HookedCall, context: Context): Answer<{ readonly block: string } | { readonly args: Arguments }>;
  /** Another result for the model and the person. */
  after_tool_call?(
    told: HookedCall & { readonly result: Json; readonly isError: boolean },
    context: Context,
  ): Answer<{ readonly result: Json; readonly isError?: boolean }>;
  /** Other texts for this request; what the model itself said cannot be replaced. Nothing of it is kept. */
  context?(
    told: { readonly messages: readonly { readonly role: string; readonly text: string }[] },
    context: Context,
  ): Answer<{ readonly replace: readonly { readonly index: number; readonly text: string }[] }>;
  /** Text behind the system prompt of this request. */
  before_request?(
    told: { readonly messages: number; readonly tools: readonly string[] },
    context: Context,
  ): Answer<{ readonly system: string }>;
  /** No summary now, or one of your own for `text`. */
  compaction?(
    told: { readonly messages: number; readonly text: string },
    context: Context,
  ): Answer<{ readonly cancel: string } | { readonly summary: string }>;
}

/** A key that stands for a slash command. Keys that have a meaning already keep it. */
export interface KeyDefinition {
  /** As in `[keys]` of buddy.toml, with Ctrl or Alt or a function key: `alt+t`. */
  readonly key: string;
  /** `/todo`. */
  readonly line: string;
  readonly says: string;
}

/** A request as a model of an extension gets it. */
export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant' | 'tool';
    readonly text: string;
    /** Of an answer: what it called. */
    readonly calls?: readonly { readonly id: string; readonly name: string; readonly argsText: string }[];
    /** Of a result: of which call. */
    readonly callId?: string;
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
}

/** A piece of an answer. */
export type ModelPiece =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly call: { readonly name: string; readonly args: Arguments } }
  | { readonly usage: { readonly inputTokens: number; readonly outputTokens: number } };

/** A model to choose with `/model`: one behind a server that speaks chat completions (`baseUrl`), or whatever `stream` makes of a request. */
export interface ProviderDefinition {
  /** As a profile is called. */
  readonly name: string;
  readonly contextTokens: number;
  /** What the server calls it; default the name. */
  readonly model?: string;
  /** `https://host/v1`. */
  readonly baseUrl?: string;
  /** For `baseUrl`. Keys of the person are never sent there. */
  readonly apiKey?: string;
  stream?(request: ModelRequest, context: Context): AsyncIterable<ModelPiece>;
}

/** An extension: the default export of its module. */
export interface Extension {
  /** Lower case letters, digits, `_` and `-`; of two with one name the first counts. */
  readonly name: string;
  readonly tools?: readonly ToolDefinition[];
  readonly commands?: readonly CommandDefinition[];
  readonly providers?: readonly ProviderDefinition[];
  /** By name, each as a file in themes/ says it. */
  readonly themes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly keys?: readonly KeyDefinition[];
  /** Shown from the start; `setWidget` changes them. */
  readonly widgets?: readonly (Widget & { readonly id: string })[];
  readonly hooks?: Hooks;
}

/** Gives back what it is given: for the types. */
export function defineExtension(extension: Extension): Extension {
  return extension;
}
