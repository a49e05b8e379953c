/** `/settings` inside of a running program: the list made of the table, and what is asked of it done. */

import { asBuddyError, BuddyError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { shownValue, typedForm, typedValue } from '../config/setting-words.js';
import { type SettingKey, type SettingRow, settingRows } from '../config/settings.js';
import { lineOfKey, type TomlValue } from '../config/toml-edit.js';
import type { Action } from '../view/reducer.js';
import { settingLines, timeOf } from '../view/settings.js';
import type { SettingEntry, SettingsAsk, SettingsListing } from '../view/settings-view.js';
import type { State } from '../view/state.js';
import { isLive, type LiveChange, liveChange } from './live-settings.js';
import { type Found, lookAtSettings, type Started, writeSetting } from './own-settings.js';

const rows: Readonly<Record<string, SettingRow<unknown>>> = settingRows;
const keys = Object.keys(settingRows) as readonly SettingKey[];

type Change = Extract<SettingsAsk, { readonly kind: 'set' | 'reset' }>;

/** Does what is asked. The answer stands in the open list or in the conversation, as it was asked. Never rejects. */
export async function settingsHere(started: Started, state: State, ask: SettingsAsk, signal: AbortSignal): Promise<LiveChange> {
  const only = (...actions: readonly Action[]): LiveChange => ({ actions, effects: [] });
  try {
    if (ask.kind === 'set' || ask.kind === 'reset') return await change(started, state, ask, signal);
    const listing = listingOf(started, await lookAtSettings(started), state);
    const shown: Action = { type: 'settings', listing };
    if (ask.kind === 'look') return only(shown);
    const told = ask.key === null ? null : keyNamed(ask.key);
    const entries = listing.entries.filter(({ key }) => told === null || key === told);
    const lines = told === null ? entries.map(oneLine) : entries.flatMap((entry) => settingLines(state, entry));
    return only(shown, { type: 'notice', level: 'info', text: lines.join('\n') });
  } catch (thrown) {
    const { message, hint } = asBuddyError(thrown, 'config.value');
    const text = hint === undefined ? sentence(message) : `${sentence(message)} ${hint}`;
    const byList = ask.kind === 'look' || ('by' in ask && ask.by === 'list');
    const said: Action = byList ? { type: 'settings.said', level: 'warning', text } : { type: 'notice', level: 'warning', text };
    // What changed under the person's eyes is shown as it is now.
    const isChanged = thrown instanceof BuddyError && thrown.code === 'config.changed';
    return only(...(isChanged ? await lookedAt(started, state) : []), said);
  }
}

async function lookedAt(started: Started, state: State): Promise<readonly Action[]> {
  try {
    return [{ type: 'settings', listing: listingOf(started, await lookAtSettings(started), state) }];
  } catch {
    return [];
  }
}

async function change(started: Started, state: State, ask: Change, signal: AbortSignal): Promise<LiveChange> {
  const key = keyNamed(ask.key);
  const row = rows[key] as SettingRow<unknown>;
  let value: TomlValue | undefined;
  if (ask.kind === 'set') {
    const typed = await typedValue(row, ask.text);
    if ('wrong' in typed) throw new BuddyError('config.value', `${key} ${typed.wrong}`);
    value = typed.value;
    // Any text can be a setting; a look that there is not would only be told of at the next start.
    if (key === 'display.theme' && state.themeNames.length > 0 && !state.themeNames.includes(String(value)))
      throw new BuddyError('config.value', `there is no theme "${value}"; there are ${state.themeNames.join(', ')}`);
  }
  const before = await lookAtSettings(started).catch(() => null);
  // What is set by a line is meant whatever the file is like; in the list it is meant for what was seen.
  const seen = ask.by === 'list' ? (state.settings.listing?.seen ?? 'none') : undefined;
  const notices = await writeSetting(started, { key, value, ...(seen === undefined ? {} : { seen }) }, signal);
  const found = await lookAtSettings(started);
  const live = liveChange(key, found.config.settings);
  const isChanged = before?.seen !== found.seen;
  const listing = listingOf(started, found, state, live === null ? null : key);
  const text = `${isChanged ? '' : 'Nothing to write: '}${wordsOf(listing, key, ask, found)}`;
  const said: Action = ask.by === 'list' ? { type: 'settings.said', level: 'info', text } : { type: 'notice', level: 'info', text };
  const more = notices.map((words): Action => ({ type: 'notice', level: 'warning', text: `${words}.` }));
  return { actions: [...(live?.actions ?? []), { type: 'settings', listing }, said, ...more], effects: live?.effects ?? [] };
}

/** Throws `config.value` for what is none. */
function keyNamed(name: string): SettingKey {
  const key = keys.find((known) => known === name);
  if (key !== undefined) return key;
  const last = (known: string) => known.slice(known.indexOf('.') + 1);
  const byLast = nearest(last(name), keys.map(last));
  const near = nearest(name, keys) ?? keys.find((known) => last(known) === byLast);
  throw new BuddyError('config.value', `there is no setting "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
}

/** What the file says now, whether that is in force, and from when. */
function wordsOf({ entries, file }: SettingsListing, key: string, { kind }: Change, { config, source }: Found): string {
  const entry = entries.find((of) => of.key === key) as SettingEntry;
  const line = lineOfKey(source, key.split('.'));
  const own = entry.hidden ?? entry.value;
  const where = kind === 'reset' ? `${key} has no line in ${file}` : `${key} = ${own} in ${file}${line === null ? '' : `:${line}`}`;
  if (entry.hidden !== null || (kind === 'reset' && config.sources.has(key as SettingKey)))
    return `${where}, but it is not in force: ${entry.origin} stands above it and says ${entry.value}.`;
  return `${where}${kind === 'reset' ? `; the default ${entry.value} holds` : ''}, ${timeOf(entry)}.`;
}

function oneLine({ key, value, origin }: SettingEntry): string {
  return `${key} = ${value}  (${origin})`;
}

/** Names of settings and paths stay as they are written. */
function sentence(text: string): string {
  const isName = /^\S*[./]\S/.test(text);
  return `${isName ? text.slice(0, 1) : text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** `applied`: that one has just been made to count in this run. */
function listingOf(started: Started, found: Found, state: State, applied: SettingKey | null = null): SettingsListing {
  const earlier = new Map(state.settings.listing?.entries.map((entry) => [entry.key, entry.running]));
  const entries = keys.map((key): SettingEntry => {
    const { kind, initial, doc, project } = rows[key] as SettingRow<unknown>;
    const value = found.config.settings[key];
    const own = found.config.own.get(key);
    const origin = originOf(found, key);
    const isOwn = found.config.sources.get(key) === found.path;
    const running = applied === key ? shownValue(value) : (earlier.get(key) ?? shownValue(started.config.settings[key]));
    return {
      ...{ key, says: doc, origin, running, isWritten: own !== undefined, expected: kind.expected },
      value: shownValue(value),
      typed: typedForm(own ?? value),
      initial: shownValue(initial),
      hidden: own === undefined || isOwn ? null : shownValue(own),
      words: kind.words ?? offered(key, found, state),
      isFlag: kind.words?.[0] === 'true',
      isLive: isLive(key),
      project: project?.says ?? null,
    };
  });
  return { entries, file: found.path, seen: found.seen };
}

/** Names that can be written, where this program knows them. */
function offered(key: SettingKey, { config }: Found, { themeNames }: State): readonly string[] {
  if (key === 'agent.model' || key === 'context.compact_profile') return config.profiles.map(({ name }) => name);
  return key === 'display.theme' ? themeNames : [];
}

function originOf({ config, path, source }: Found, key: SettingKey): string {
  const from = config.sources.get(key);
  if (from === undefined) return 'default';
  const theirs = config.project.found.find((file) => file.path === from);
  const text = from === path ? source : theirs?.source;
  const line = text == null ? null : lineOfKey(text, key.split('.'));
  return line === null ? from : `${from}:${line}`;
}
