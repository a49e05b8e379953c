/** What becomes of the settings on the screen: the list of `/settings`, what is typed there, and what the screen itself follows. Pure. */

import { baseOf } from '../protocol/efforts.js';
import { type LimitStatus, limitRows } from '../protocol/limits.js';
import type { SegmentName } from '../protocol/segments.js';
import type { EditorMode } from './editor/model.js';
import { freshVi } from './editor/vi/model.js';
import { lengthened } from './one-line.js';
import type { MouseSettings } from './pointer.js';
import type { SettingDraft, SettingEntry, SettingsListing, SettingsView } from './settings-view.js';
import type { OnExit, State } from './state.js';
import type { NoticeLevel } from './transcript.js';

/** Settings that the screen itself follows. */
export interface Preferences {
  readonly showTokens: boolean;
  readonly showToolCalls: boolean;
  readonly header: readonly SegmentName[];
  readonly footer: readonly SegmentName[];
  readonly onExit: OnExit;
  readonly editorMode: EditorMode;
  readonly mouse: Partial<MouseSettings>;
}

/** The list is open. */
export function isSettingsOpen({ picker }: State): boolean {
  return picker?.kind === 'settings';
}

/** What is being written in the open list; null: nothing. */
export function settingDraft(state: State): SettingDraft | null {
  return isSettingsOpen(state) ? state.settings.draft : null;
}

/** The state with that of the settings changed. */
export function withSettings(state: State, change: Partial<SettingsView>): State {
  return { ...state, settings: { ...state.settings, ...change } };
}

/** The entry of that key. */
export function settingOf({ settings: { listing } }: State, key: string): SettingEntry | undefined {
  return listing?.entries.find((entry) => entry.key === key);
}

/** What the person chose for this session only, with /limits or /model; null: nothing. */
export function sessionValue({ settings: { session }, model }: State, { key, running }: SettingEntry): string | null {
  if (key === 'agent.model') {
    const used = model === null ? null : JSON.stringify(baseOf(model));
    return used === running ? null : used;
  }
  return Object.hasOwn(session, key) ? (session[key] ?? null) : null;
}

/** What this run has of it. */
export function runningValue(state: State, entry: SettingEntry): string {
  return sessionValue(state, entry) ?? entry.running;
}

/** Where the value is from that counts now. */
export function originOf(state: State, entry: SettingEntry): string {
  return sessionValue(state, entry) === null ? entry.origin : 'this session';
}

/** When a change of it counts. */
export function timeOf({ isLive }: SettingEntry): string {
  return isLive ? 'at once' : 'from the next start on';
}

/** Everything about one of them, line by line: what its value is and from where, what it may be, and who may change it. */
export function settingLines(state: State, entry: SettingEntry): readonly string[] {
  const now = runningValue(state, entry);
  const isSession = sessionValue(state, entry) !== null;
  return [
    `${entry.key} = ${isSession ? now : entry.value}  (${originOf(state, entry)})`,
    entry.says,
    ...(now === entry.value ? [] : [isSession ? `From the next start on: ${entry.value}.` : `Until the next start: ${now}.`]),
    ...(entry.hidden === null ? [] : [`Your own file says ${entry.hidden}, which is not in force: ${entry.origin} stands above it.`]),
    `Default: ${entry.initial}. Expected: ${entry.expected}.`,
    `A change counts ${timeOf(entry)}.`,
    ...(entry.project === null ? [] : [`The file of a trusted project may ${entry.project}; it is written there by hand.`]),
  ];
}

/** Asks for the list while a line begins with `/settings `: its keys are what can follow. Null when nothing need be done. */
export function settingsWanted(state: State): State | null {
  const { asked } = state.settings;
  const [line = ''] = state.editor.text.lines;
  return asked || !/^\/(?:settings|set)\s/.test(line) ? null : withSettings(state, { asked: true });
}

/** More is typed into the value; more than fits into one line is left out. */
export function settingTyped(state: State, text: string): State {
  const { draft } = state.settings;
  return draft === null
    ? state
    : withSettings(state, { draft: { ...draft, text: lengthened(draft.text, text, LONGEST_VALUE).query, problem: null } });
}

/** Characters of a value that is typed. */
const LONGEST_VALUE = 4000;

/** The settings were looked at, anew after a change. */
export function withListing(state: State, listing: SettingsListing): State {
  return withSettings(state, { listing, asked: true });
}

/** A change was answered: what was typed is done with, or stays with its problem. */
export function withSettingSaid(state: State, level: NoticeLevel, text: string): State {
  const { draft } = state.settings;
  if (level === 'info' || draft === null) return withSettings(state, { draft: null, said: { level, text } });
  return withSettings(state, { draft: { ...draft, problem: text }, said: null });
}

/** The screen follows other settings from now on. */
export function withPreferences(state: State, { mouse, editorMode, ...plain }: Partial<Preferences>): State {
  const { editor, pointer } = state;
  const isVi = editor.vi !== null;
  const isOther = editorMode !== undefined && isVi !== (editorMode === 'vi');
  const settings = { ...pointer.settings, ...mouse };
  const released = mouse?.enabled === undefined ? pointer.released : !mouse.enabled;
  return {
    ...state,
    ...plain,
    pointer: mouse === undefined ? pointer : { ...pointer, settings, released, held: null, selection: null },
    editor: isOther ? { ...editor, vi: isVi ? null : freshVi } : editor,
  };
}

/** What `/limits` has set for the session stands above the settings until it ends. */
export function withSessionLimits(state: State, limits: readonly LimitStatus[]): State {
  const told = new Map(
    limits.map(({ limit, value, configured }) => [limitRows[limit].setting as string, value === configured ? null : value]),
  );
  const kept = Object.entries(state.settings.session).filter(([key]) => !told.has(key));
  const set = [...told].flatMap(([key, value]) => (value === null ? [] : [[key, String(value)] as const]));
  return withSettings(state, { session: Object.fromEntries([...kept, ...set]) });
}
