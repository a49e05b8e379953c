/** Settings whose change counts at once: one row each. All others count from the next start on. */

import type { SettingKey, Settings } from '../config/settings.js';
import { type LimitName, limitNames, limitRows } from '../protocol/limits.js';
import { type Effect, send } from '../view/effects.js';
import type { Action } from '../view/reducer.js';
import type { Preferences } from '../view/settings.js';

/** What has to be done for it. */
export interface LiveChange {
  readonly actions: readonly Action[];
  readonly effects: readonly Effect[];
}

type Row = (settings: Settings) => LiveChange;

const on =
  (changed: (settings: Settings) => Partial<Preferences>, ...effects: readonly ((settings: Settings) => Effect)[]): Row =>
  (settings) => ({
    actions: [{ type: 'preferences', changed: changed(settings) }],
    effects: effects.map((effect) => effect(settings)),
  });

const limit =
  (name: LimitName): Row =>
  (settings) => {
    const setting: SettingKey = limitRows[name].setting;
    return { actions: [], effects: [send({ type: 'limits.configure', limit: name, value: Number(settings[setting]) })] };
  };

const rows: Readonly<Partial<Record<SettingKey, Row>>> = {
  'display.show_tokens': on((of) => ({ showTokens: of['display.show_tokens'] })),
  'display.show_tool_calls': on((of) => ({ showToolCalls: of['display.show_tool_calls'] })),
  'display.theme': (of) => ({ actions: [], effects: [{ type: 'theme', name: of['display.theme'], keep: true, configured: true }] }),
  'screen.header': on((of) => ({ header: of['screen.header'] })),
  'screen.footer': on((of) => ({ footer: of['screen.footer'] })),
  'editor.mode': on((of) => ({ editorMode: of['editor.mode'] })),
  'mouse.enabled': on(
    (of) => ({ mouse: { enabled: of['mouse.enabled'] } }),
    (of) => ({ type: 'mouse', on: of['mouse.enabled'] }),
  ),
  'mouse.wheel_rows': on((of) => ({ mouse: { wheelRows: of['mouse.wheel_rows'] } })),
  'mouse.copy_on_release': on((of) => ({ mouse: { copyOnRelease: of['mouse.copy_on_release'] } })),
  'tmux.on_exit': on((of) => ({ onExit: of['tmux.on_exit'] })),
  ...Object.fromEntries(limitNames.map((name) => [limitRows[name].setting, limit(name)])),
};

/** Does a change of it count at once? */
export function isLive(key: SettingKey): boolean {
  return Object.hasOwn(rows, key);
}

/** What has to be done that it counts; null: it counts from the next start on. */
export function liveChange(key: SettingKey, settings: Settings): LiveChange | null {
  return rows[key]?.(settings) ?? null;
}
