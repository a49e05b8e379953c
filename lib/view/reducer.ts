/** The one place where what happened becomes what is shown. Pure. */

import type { RuntimeEventEnvelope } from '../protocol/events.js';
import type { PaneId } from '../protocol/panes.js';
import { markShown } from './approval.js';
import type { DrawChart } from './charts.js';
import { setDraft } from './editor/editor.js';
import { withFiles } from './file-choices.js';
import { showPane } from './panes.js';
import { openPicker } from './picker.js';
import { policyAt } from './policy.js';
import type { ProjectView } from './project.js';
import type { Lex } from './rows/markdown.js';
import { applyEvent } from './runtime-events.js';
import { type Preferences, withListing, withPreferences, withSettingSaid } from './settings.js';
import type { SettingsListing } from './settings-view.js';
import { type CommandInfo, isTimeShown, type PickerKind, type State } from './state.js';
import type { Theme } from './theme.js';
import { withToast } from './toasts.js';
import { appendBlock, type NoticeLevel } from './transcript.js';
import type { Size } from './widget.js';

/** Everything besides input that changes what is shown. */
export type Action =
  | { readonly type: 'runtime'; readonly envelope: RuntimeEventEnvelope }
  | { readonly type: 'resized'; readonly size: Size }
  /** Time goes on: for elapsed times, countdowns, toasts. */
  | { readonly type: 'tick'; readonly nowMs: number }
  /** The frame of this state has been written to the terminal: what it shows has been seen from now on. */
  | { readonly type: 'shown'; readonly nowMs: number }
  /** A line of ours in the conversation: what a slash command answered. */
  | { readonly type: 'notice'; readonly level: NoticeLevel; readonly text: string }
  | { readonly type: 'toast'; readonly level: NoticeLevel; readonly text: string; readonly nowMs: number }
  | { readonly type: 'help'; readonly open: boolean }
  /** Ask what becomes of the tmux session. */
  | { readonly type: 'leaving' }
  /** What slash commands there are. */
  | { readonly type: 'commands.loaded'; readonly commands: readonly CommandInfo[] }
  /** marked has been loaded. */
  | { readonly type: 'markdown.loaded'; readonly lex: Lex }
  /** The terminal is lent to `tmux attach`, or back. */
  | { readonly type: 'attached'; readonly on: boolean }
  /** A theme was loaded; `keep`: it is the one to go back to. */
  | { readonly type: 'theme'; readonly name: string; readonly theme: Theme; readonly keep: boolean }
  | { readonly type: 'theme.names'; readonly names: readonly string[] }
  | { readonly type: 'picker.open'; readonly kind: PickerKind }
  /** The mirror shows another pane. */
  | { readonly type: 'pane.show'; readonly pane: PaneId }
  /** Files behind `@`, as far as they have been found. */
  | {
      readonly type: 'files';
      readonly folder: string;
      readonly paths: readonly string[];
      readonly looking: boolean;
      readonly more: boolean;
    }
  /** More is known of the working folder. */
  | { readonly type: 'project'; readonly project: Partial<ProjectView> }
  /** The settings were looked at. */
  | { readonly type: 'settings'; readonly listing: SettingsListing }
  /** What became of a change of one of them. */
  | { readonly type: 'settings.said'; readonly level: NoticeLevel; readonly text: string }
  /** Settings that the screen follows were changed. */
  | { readonly type: 'preferences'; readonly changed: Partial<Preferences> }
  /** The page of what was used. */
  | { readonly type: 'usage.open' }
  /** What draws charts was loaded, or why it could not be. */
  | { readonly type: 'charts'; readonly draw: DrawChart | null; readonly trouble: string | null }
  /** The text came back from an external editor. */
  | { readonly type: 'draft'; readonly text: string };

/** The state after `action`. The very same state when nothing that is shown has changed. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'runtime':
      return applyEvent(state, action.envelope.event, action.envelope.tsMs);
    case 'resized':
      return { ...state, size: action.size };
    case 'tick':
      return tick(policyAt(state, action.nowMs), action.nowMs);
    case 'shown':
      return shown(state, action.nowMs);
    case 'notice':
      return { ...state, transcript: appendBlock(state.transcript, { kind: 'notice', level: action.level, text: action.text }) };
    case 'toast':
      return withToast(state, action.text, action.level, action.nowMs);
    case 'help':
      return { ...state, help: action.open ? 0 : null };
    case 'leaving':
      return { ...state, leaving: { shownAtMs: null } };
    case 'commands.loaded':
      return { ...state, commands: action.commands };
    case 'markdown.loaded':
      return { ...state, lex: action.lex };
    case 'attached':
      return { ...state, attached: action.on };
    case 'theme':
      return { ...state, theme: action.theme, themeName: action.keep ? action.name : state.themeName };
    case 'theme.names':
      return { ...state, themeNames: action.names };
    case 'picker.open':
      return openPicker(state, action.kind);
    case 'pane.show':
      return showPane(state, action.pane);
    case 'files':
      return withFiles(state, action);
    case 'project':
      return { ...state, project: { ...state.project, ...action.project } };
    case 'settings':
      return withListing(state, action.listing);
    case 'settings.said':
      return withSettingSaid(state, action.level, action.text);
    case 'preferences':
      return withPreferences(state, action.changed);
    case 'usage.open':
      return { ...state, usage: { ...state.usage, page: { top: 0 } } };
    case 'charts':
      return { ...state, usage: { ...state.usage, draw: action.draw, trouble: action.trouble } };
    case 'draft':
      return { ...state, editor: setDraft(state.editor, action.text) };
  }
}

function shown(state: State, nowMs: number): State {
  const { leaving } = state;
  if (leaving === null) return markShown(state, nowMs);
  return leaving.shownAtMs === null ? { ...state, leaving: { shownAtMs: nowMs } } : state;
}

function tick(state: State, nowMs: number): State {
  const toasts = state.toasts.some((toast) => toast.untilMs <= nowMs)
    ? state.toasts.filter((toast) => toast.untilMs > nowMs)
    : state.toasts;
  const quitUntilMs = state.quitUntilMs > nowMs ? state.quitUntilMs : 0;
  const sameSecond = Math.floor(nowMs / 1000) === Math.floor(state.nowMs / 1000);
  if (toasts === state.toasts && quitUntilMs === state.quitUntilMs && (sameSecond || !isTimeShown(state))) return state;
  return { ...state, nowMs, toasts, quitUntilMs };
}
