/** The limits in force: those of the settings, until a person sets another one for the session. */

import { type LimitName, limitNames, limitRows } from '../protocol/limits.js';
import { defaultSettings, type SettingKey, type Settings } from './settings.js';

/** Owns the values; whoever loops or streams asks for them when it matters. */
export class Limits {
  readonly #settings: Settings;
  readonly #chosen = new Map<LimitName, number>();
  /** What the settings say by now, where they were changed since. */
  readonly #changed = new Map<LimitName, number>();

  /** Without settings they are those of an empty file. */
  constructor(settings: Settings = defaultSettings()) {
    this.#settings = settings;
  }

  /** In the unit of its row; 0 for none. */
  value(limit: LimitName): number {
    return this.#chosen.get(limit) ?? this.configured(limit);
  }

  configured(limit: LimitName): number {
    const { setting }: { readonly setting: SettingKey } = limitRows[limit];
    return this.#changed.get(limit) ?? Number(this.#settings[setting]);
  }

  /** The settings say otherwise from now on, and what was chosen before no longer holds. */
  configure(limit: LimitName, value: number): void {
    this.#changed.set(limit, value);
    this.#chosen.delete(limit);
  }

  /** Holds until `reset`. */
  set(limit: LimitName, value: number): void {
    this.#chosen.set(limit, value);
  }

  /** As the settings say, all of them but those that are given. */
  reset(except: readonly LimitName[] = []): void {
    for (const limit of limitNames) if (!except.includes(limit)) this.#chosen.delete(limit);
  }
}
