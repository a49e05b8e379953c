/** Everything that the screen shows, as one value. Only `reduce` and `handleInput` make new ones. */

import type { ApprovalPolicy, ApprovalRequest } from '../protocol/approvals.js';
import type { ModelSummary, QueuedText, TaskOutcome } from '../protocol/events.js';
import type { ExtensionWidget, OfferedKey } from '../protocol/extensions.js';
import type { McpServerStatus } from '../protocol/mcp.js';
import type { OfferedCommand } from '../protocol/offered.js';
import type { PaneId, PaneScreen, PaneState, TargetSummary } from '../protocol/panes.js';
import type { ListedRule } from '../protocol/rules.js';
import { defaultFooter, defaultHeader, type SegmentName } from '../protocol/segments.js';
import { type Arrangements, plainArrangements } from './arrangement.js';
import type { Answering, ApprovalReading, Ruling } from './asked.js';
import type { DraftBrought } from './attachment-words.js';
import { createEditor, type Editor, type EditorMode } from './editor/model.js';
import type { FocusId, PaneName, Size } from './geometry.js';
import { createLayoutMemory, type LayoutMemory } from './layout-memory.js';
import type { FileChoices, Picker, PickerKind, Toast } from './lying-over.js';
import type { PaneView } from './mirror-view.js';
import { freshPointer, type MouseSettings, type Pointer, usualMouse } from './pointer.js';
import { noProject, type ProjectView } from './project.js';
import type { Reading } from './reading.js';
import type { Lex } from './rows/markdown.js';
import { freshSession, type SessionState } from './session-state.js';
import { freshSettings, type SettingsView } from './settings-view.js';
import { freshTaskList, type TaskListView } from './task-list-view.js';
import type { Theme } from './theme.js';
import { type BlockId, emptyTranscript, type Transcript } from './transcript.js';
import type { TreeView } from './tree.js';
import { emptyUsage, type UsageState } from './usage.js';

/** Words of other files that belong to the state as well. */
export type { FileChoices, FocusId, PaneName, Picker, PickerKind, Reading, Toast };

/** A prompt, a background job, a command of the person's own, or a summary of the conversation. Times are wall clock, in milliseconds. */
export interface Task {
  readonly id: string;
  readonly kind: 'prompt' | 'job' | 'command' | 'compaction';
  readonly text: string;
  readonly pane: PaneId | null;
  readonly startedMs: number;
  readonly endedMs: number | null;
  readonly deadlineMs: number | null;
  readonly outcome: TaskOutcome | null;
  readonly exitCode: number | null;
  readonly lastLine: string;
  /** A cancel was sent and has not been answered yet. */
  readonly cancelling: boolean;
}

/** A pane as a list shows it. */
export interface PaneEntry {
  readonly id: PaneId;
  readonly title: string;
  readonly state: PaneState;
  readonly lastExit: number | null;
}

/** The pane that the mirror shows. */
export interface MirroredPane {
  readonly id: PaneId;
  readonly title: string;
  readonly screen: PaneScreen | null;
  readonly state: PaneState;
  readonly lastExit: number | null;
  readonly closed: boolean;
  /** How it is looked at. */
  readonly view: PaneView;
}

/** A size that a pane is to have. */
export interface PaneSize extends Size {
  readonly pane: PaneId;
}

/** A takeover. `lost`: the pane went away or out of sight; what is still typed goes nowhere, least of all into a prompt. */
export interface Takeover {
  readonly pane: PaneId;
  readonly lost: boolean;
}

/** What happens to the tmux session at the end (`[tmux] on_exit`). */
export type OnExit = 'keep' | 'kill' | 'ask';

/** The open question about it. `shownAtMs`: when a frame with it was first on the screen; null: not yet. */
export interface Leaving {
  readonly shownAtMs: number | null;
}

/** A search in the conversation. */
export interface Search {
  readonly query: string;
  /** The same to match with; null while there are no words. */
  readonly pattern: RegExp | null;
  /** Letters go into the query. */
  readonly typing: boolean;
  /** What was read before. */
  readonly origin: Reading;
  /** The match in front; a block that hides it is shown whole. */
  readonly current: { readonly block: BlockId; readonly key: number } | null;
}

/** A choice for what is being typed after a slash command. */
export interface ArgumentChoice {
  readonly value: string;
  readonly says: string;
}

/** A slash command as the editor's completion knows it. */
export interface CommandInfo {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The arguments as help shows them: `<dur> [id]`; '' for none. */
  readonly args: string;
  readonly says: string;
  /** May it run while a prompt runs? */
  readonly whileBusy: boolean;
  complete?(typed: string, state: State): readonly ArgumentChoice[];
}

/** The whole of it. Nothing in it is ever changed in place. */
export interface State {
  readonly size: Size;
  readonly theme: Theme;
  /** Name of the theme that is kept; another one may be looked at. */
  readonly themeName: string;
  readonly themeNames: readonly string[];
  readonly version: string;
  /** Wall clock of the last thing that happened. */
  readonly nowMs: number;
  readonly agent: string;
  readonly session: string;
  /** What is kept of it, and of earlier ones. */
  readonly kept: SessionState;
  readonly model: ModelSummary | null;
  readonly profiles: readonly ModelSummary[];
  readonly target: TargetSummary | null;
  readonly policy: ApprovalPolicy;
  readonly context: { readonly usedTokens: number; readonly windowTokens: number } | null;
  readonly transcript: Transcript;
  /** Blocks whose expansion differs from `expandAll`. */
  readonly toggled: ReadonlySet<BlockId>;
  readonly expandAll: boolean;
  /** The card that Enter works on; null: the last one. */
  readonly selected: BlockId | null;
  readonly reading: Reading;
  /** What the mentions in the draft would bring along; null: there are none. */
  readonly brought: DraftBrought | null;
  /** Blocks before this one are folded: of prompts the first line is shown, of the others nothing. */
  readonly foldedBefore: BlockId;
  /** The prompts among them, in order: nothing else of them is looked at. */
  readonly foldedPrompts: readonly BlockId[];
  readonly search: Search | null;
  /** The error that was jumped to last, and how: while it is read so, the next jump goes to the one before. */
  readonly shownError: { readonly block: BlockId; readonly reading: Reading } | null;
  /** The answer that a key folded or unfolded last, and how it was read then: while it still is, the key means that one. */
  readonly foldedLast: { readonly block: BlockId; readonly reading: Reading } | null;
  /** What was searched for last. */
  readonly lastSearch: string;
  /** Oldest first. */
  readonly tasks: readonly Task[];
  readonly taskList: TaskListView;
  readonly queue: readonly QueuedText[];
  /** Oldest first. */
  readonly approvals: readonly ApprovalRequest[];
  /** The one that is on the screen. */
  readonly approval: ApprovalReading | null;
  readonly ruling: Ruling | null;
  /** The rules that are in force. */
  readonly rules: readonly ListedRule[];
  readonly answering: Answering | null;
  /** The shared one first. */
  readonly panes: readonly PaneEntry[];
  readonly pane: MirroredPane | null;
  /** The pane whose pictures were asked for last. */
  readonly watched: PaneId | null;
  readonly paneSizeSent: PaneSize | null;
  /** The size that was sent, once a picture has had it: until then the pane is on its way there. */
  readonly paneSizeShown: PaneSize | null;
  readonly editor: Editor;
  readonly focus: FocusId;
  /** The terminal's window has the focus, as far as it tells. */
  readonly focused: boolean;
  /** The pane whose keyboard the person took; null: the agent has it. */
  readonly takeover: Takeover | null;
  /** The terminal is lent to the real `tmux attach`. */
  readonly attached: boolean;
  /** The pane shown when there is room for one. */
  readonly shownPane: PaneName;
  readonly zoomed: boolean;
  /** What the person moved and hid, and what of it has been kept for the next start. */
  readonly arrangements: Arrangements;
  readonly keptArrangements: Arrangements;
  readonly pointer: Pointer;
  readonly commands: readonly CommandInfo[];
  /** Commands that are not built in. */
  readonly offered: readonly OfferedCommand[];
  /** The MCP servers, as they were told last. */
  readonly mcp: readonly McpServerStatus[];
  /** Lines that extensions show, in the order in which they came. */
  readonly extensionWidgets: readonly ExtensionWidget[];
  /** Keys that extensions gave a meaning, by their canonical name. */
  readonly offeredKeys: ReadonlyMap<string, OfferedKey>;
  readonly completion: { readonly selected: number; readonly dismissed: string | null };
  /** What `@` offers; null: nobody has asked yet. */
  readonly files: FileChoices | null;
  readonly toasts: readonly Toast[];
  /** Keys of the user's own. */
  readonly bindings: KeyBindings;
  /** Keys that were pressed and wait for the next one; '' for none. */
  readonly prefix: string;
  /** The open list; null: none. */
  readonly picker: Picker | null;
  /** First line of the open help; null: closed. */
  readonly help: number | null;
  /** Ctrl+C was pressed: until then another one quits. */
  readonly quitUntilMs: number;
  /** The question about the tmux session at the end; null: not asked. */
  readonly leaving: Leaving | null;
  /** What becomes of that session (tmux.on_exit). */
  readonly onExit: OnExit;
  readonly stopping: boolean;
  /** Say after each answer what it cost in tokens (display.show_tokens). */
  readonly showTokens: boolean;
  /** Show tool calls in the conversation (display.show_tool_calls). */
  readonly showToolCalls: boolean;
  readonly settings: SettingsView;
  /** What the working folder brings along, and whether it is trusted. */
  readonly project: ProjectView;
  /** What the models have used, and the page that shows it. */
  readonly usage: UsageState;
  /** The tree of the session, while it is open. */
  readonly tree: TreeView | null;
  /** Parts of the lines at the top and at the bottom ([screen] header, footer). */
  readonly header: readonly SegmentName[];
  readonly footer: readonly SegmentName[];
  /** marked's lexer once it is loaded; until then text is shown as it is. */
  readonly lex: Lex | null;
  /** Rows already laid out. A memory, not a state: the same question always has the same answer. */
  readonly layouts: LayoutMemory;
}

/** Keys of the user's own (see keymap.ts). */
export type KeyBindings = ReadonlyMap<string, readonly string[]>;

/** What is known before anything has happened. */
export interface InitialState {
  readonly size: Size;
  readonly theme: Theme;
  readonly version: string;
  readonly nowMs: number;
  readonly commands?: readonly CommandInfo[];
  /** Earlier prompts, oldest first. */
  readonly history?: readonly string[];
  readonly lex?: Lex | null;
  readonly bindings?: KeyBindings;
  readonly showTokens?: boolean;
  readonly showToolCalls?: boolean;
  readonly editorMode?: EditorMode;
  readonly onExit?: OnExit;
  readonly mouse?: MouseSettings;
  readonly arrangements?: Arrangements;
  readonly header?: readonly SegmentName[];
  readonly footer?: readonly SegmentName[];
  readonly project?: ProjectView;
}

/** The screen before anything has happened. */
export function initialState(start: InitialState): State {
  const arrangements = start.arrangements ?? plainArrangements;
  return {
    size: start.size,
    theme: start.theme,
    themeName: start.theme.name,
    themeNames: [],
    version: start.version,
    nowMs: start.nowMs,
    agent: '',
    session: '',
    kept: freshSession,
    model: null,
    profiles: [],
    target: null,
    policy: { kind: 'ask' },
    context: null,
    transcript: emptyTranscript,
    toggled: new Set(),
    expandAll: false,
    selected: null,
    reading: { kind: 'follow' },
    foldedBefore: 0,
    foldedPrompts: [],
    search: null,
    shownError: null,
    foldedLast: null,
    lastSearch: '',
    tasks: [],
    taskList: freshTaskList,
    queue: [],
    approvals: [],
    approval: null,
    ruling: null,
    rules: [],
    answering: null,
    panes: [],
    pane: null,
    watched: null,
    paneSizeSent: null,
    paneSizeShown: null,
    editor: createEditor(start.history, start.editorMode),
    focus: 'editor',
    focused: true,
    takeover: null,
    attached: false,
    shownPane: 'conversation',
    zoomed: false,
    arrangements,
    keptArrangements: arrangements,
    pointer: freshPointer(start.mouse ?? usualMouse),
    commands: start.commands ?? [],
    offered: [],
    mcp: [],
    extensionWidgets: [],
    offeredKeys: new Map(),
    completion: { selected: 0, dismissed: null },
    files: null,
    brought: null,
    toasts: [],
    bindings: start.bindings ?? new Map(),
    prefix: '',
    picker: null,
    help: null,
    quitUntilMs: 0,
    leaving: null,
    onExit: start.onExit ?? 'ask',
    stopping: false,
    showTokens: start.showTokens ?? false,
    showToolCalls: start.showToolCalls ?? true,
    settings: freshSettings,
    project: start.project ?? noProject,
    usage: emptyUsage,
    tree: null,
    header: start.header ?? defaultHeader,
    footer: start.footer ?? defaultFooter,
    lex: start.lex ?? null,
    layouts: createLayoutMemory(),
  };
}

/** The prompt that runs now, or null. */
export function runningPrompt(state: State): Task | null {
  return state.tasks.findLast((task) => task.kind === 'prompt' && task.outcome === null) ?? null;
}

/** The command of the person's own that runs now, or null. */
export function runningCommand(state: State): Task | null {
  return state.tasks.findLast((task) => task.kind === 'command' && task.outcome === null) ?? null;
}

/** What has the conversation to itself now: the prompt that runs, or else a summary that was asked for; or null. */
export function runningTurn(state: State): Task | null {
  return runningPrompt(state) ?? state.tasks.findLast((task) => task.kind === 'compaction' && task.outcome === null) ?? null;
}

/** True while the conversation is not the person's to change: a prompt runs, or it is being summarised. */
export function isBusy(state: State): boolean {
  return runningTurn(state) !== null;
}

/** Why the conversation cannot be changed now, as a part of a sentence; null when it can. */
export function busyReason(state: State): string | null {
  const turn = runningTurn(state);
  if (turn === null) return null;
  return turn.kind === 'prompt' ? 'a prompt is running' : 'the conversation is being summarised';
}

/** Is that block shown whole? */
export function isExpanded(state: State, id: BlockId): boolean {
  return state.expandAll !== state.toggled.has(id);
}

/** Is there anything on the screen that changes with time alone? */
export function isTimeShown(state: State): boolean {
  return (
    state.policy.kind === 'until' ||
    state.pane?.state.kind === 'running' ||
    state.pane?.state.kind === 'fullscreen' ||
    state.tasks.some((task) => task.outcome === null)
  );
}

/** The clock as elapsed times and countdowns show it (milliseconds): the start of the second, so that they change once in it. */
export function shownNow(state: State): number {
  return state.nowMs - (state.nowMs % 1000);
}
