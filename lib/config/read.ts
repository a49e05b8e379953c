/** A parsed buddy.toml checked against the tables: values in, sentences out. */

import { BuddyError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { type CatalogueRule, catalogueRows } from './catalogue-rules.js';
import { mcpRows } from './mcp-servers.js';
import { type ProfileRow, type ProfileValues, profileRows } from './profiles.js';
import { type SettingKey, type SettingRow, settingRows } from './settings.js';
import { isTable, lineOf, type TomlTable } from './toml.js';

/** What a file says, checked, before environment and command line. */
export interface FileContent {
  readonly values: ReadonlyMap<SettingKey, unknown>;
  /** In the order of the file. */
  readonly models: ReadonlyMap<string, ProfileValues>;
  /** `[themes.<name>]`: token to colour. */
  readonly themes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** `[keys]`, in the order of the file. */
  readonly keys: readonly KeyEntry[];
  /** `[[models_catalog]]`, in the order of the file. */
  readonly catalogue: readonly CatalogueRule[];
  /** `[mcp.servers]`: name to table, not yet checked. */
  readonly mcp: TomlTable;
  readonly warnings: readonly string[];
}

/** What `[keys]` says of one action. */
export interface KeyEntry {
  readonly action: string;
  /** None: the action has no key. */
  readonly keys: readonly string[];
  /** `file:line: keys.zoom`. */
  readonly where: string;
}

/** A file that says nothing. */
export const emptyContent: FileContent = {
  values: new Map(),
  models: new Map(),
  themes: {},
  keys: [],
  catalogue: [],
  mcp: {},
  warnings: [],
};

/** The name that the old single-model table `[api]` becomes a profile under. */
const LEGACY_PROFILE = 'gpt-spark';

const rows: Readonly<Record<string, SettingRow<unknown>>> = settingRows;
const modelRows: Readonly<Record<string, ProfileRow>> = profileRows;
const ruleRows: Readonly<Record<string, ProfileRow>> = catalogueRows;
const settingTables: ReadonlySet<string> = new Set(Object.keys(settingRows).map((key) => key.split('.')[0] ?? ''));
const knownTables: readonly string[] = [...settingTables, 'models', 'models_catalog', 'themes', 'keys', 'mcp'];

/** How a wrong value is quoted back: short, on one line. */
function quoted(value: unknown): string {
  if (isTable(value)) return 'a table';
  const written = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return written.length > 60 ? `${written.slice(0, 57)}...` : written;
}

/** Reads one file; keeps what it needs for saying where something stands. */
class FileReader {
  readonly #source: string;
  readonly #file: string;
  readonly warnings: string[] = [];

  constructor(source: string, file: string) {
    this.#source = source;
    this.#file = file;
  }

  /** `file:line: a.b`, without the line when it cannot be told. */
  where(path: readonly string[], nth = 0): string {
    const line = lineOf(this.#source, path, nth);
    return `${this.#file}${line === null ? '' : `:${line}`}: ${path.join('.')}`;
  }

  wrong(path: readonly string[], expected: string, value: unknown): BuddyError {
    return new BuddyError('config.value', `${this.where(path)} must be ${expected}, not ${quoted(value)}`, {
      hint: 'Correct the line or take it out; every setting has a default.',
    });
  }

  unknown(path: readonly string[], known: Iterable<string>): void {
    const meant = nearest(path.at(-1) ?? '', known);
    this.warnings.push(`${this.where(path)} is not a setting and is ignored${meant === null ? '' : `; did you mean "${meant}"?`}`);
  }

  table(path: readonly string[], value: unknown): TomlTable {
    if (!isTable(value)) throw this.wrong(path, 'a table', value);
    return value;
  }

  /** The checked values of a profile table. */
  profile(path: readonly string[], value: unknown): ProfileValues {
    const checked: Record<string, unknown> = {};
    for (const [key, raw] of Object.entries(this.table(path, value))) {
      const row = Object.hasOwn(modelRows, key) ? modelRows[key] : undefined;
      if (row === undefined) {
        this.unknown([...path, key], Object.keys(modelRows));
        continue;
      }
      const found = row.kind.fromToml(raw);
      if (found === undefined) throw this.wrong([...path, key], row.kind.expected, raw);
      checked[key] = found;
    }
    return checked as ProfileValues;
  }

  /** The checked rules of a list of tables. */
  catalogue(name: string, value: unknown): readonly CatalogueRule[] {
    if (!Array.isArray(value)) throw this.wrong([name], `written as [[${name}]]`, value);
    return value.map((entry, nth) => {
      const line = (key: string) => this.where([name, key], nth);
      const checked: Record<string, unknown> = {};
      for (const [key, raw] of Object.entries(this.table([name], entry))) {
        const row = Object.hasOwn(ruleRows, key) ? ruleRows[key] : undefined;
        if (row === undefined) {
          const meant = nearest(key, Object.keys(ruleRows));
          this.warnings.push(`${line(key)} is not known of a model and is ignored${meant === null ? '' : `; did you mean "${meant}"?`}`);
          continue;
        }
        const found = row.kind.fromToml(raw);
        if (found === undefined) throw new BuddyError('config.value', `${line(key)} must be ${row.kind.expected}, not ${quoted(raw)}`);
        checked[key] = found;
      }
      if (checked['pattern'] === undefined) {
        throw new BuddyError('config.value', `${this.where([name], nth)}: a rule needs the name of a model`, {
          hint: 'Write pattern = "...".',
        });
      }
      return checked as CatalogueRule;
    });
  }

  theme(path: readonly string[], value: unknown): Readonly<Record<string, string>> {
    const checked: Record<string, string> = {};
    for (const [token, color] of Object.entries(this.table(path, value))) {
      if (typeof color !== 'string') throw this.wrong([...path, token], 'a string in quotes', color);
      checked[token] = color;
    }
    return checked;
  }
}

/** Dots in the name of an action make tables of tables. */
function readKeys(reader: FileReader, path: readonly string[], content: TomlTable): readonly KeyEntry[] {
  return Object.entries(content).flatMap(([name, value]) => {
    const here = [...path, name];
    if (isTable(value)) return readKeys(reader, here, value);
    const keys = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string'))
      throw reader.wrong(here, 'a key such as "ctrl+o", or a list of keys', value);
    return [{ action: here.slice(1).join('.'), keys: keys.filter((key) => key !== ''), where: reader.where(here) }];
  });
}

/** Checks a parsed file. Throws `config.value` for a value of the wrong kind; unknown keys become warnings. */
export function readContent(table: TomlTable, source: string, file: string): FileContent {
  const reader = new FileReader(source, file);
  const values = new Map<SettingKey, unknown>();
  const models = new Map<string, ProfileValues>();
  const themes: Record<string, Readonly<Record<string, string>>> = {};
  const keys: KeyEntry[] = [];
  const catalogue: CatalogueRule[] = [];
  let mcp: TomlTable = {};
  for (const [name, content] of Object.entries(table)) {
    if (name === 'models' || name === 'model') {
      for (const [key, of] of Object.entries(reader.table([name], content))) models.set(key, reader.profile([name, key], of));
    } else if (name === 'api') {
      models.set(LEGACY_PROFILE, reader.profile([name], content));
      reader.warnings.push(`${reader.where([name])} is the old form; write [models.${LEGACY_PROFILE}] instead`);
    } else if (name === 'models_catalog') {
      catalogue.push(...reader.catalogue(name, content));
    } else if (name === 'themes') {
      for (const [key, of] of Object.entries(reader.table([name], content))) themes[key] = reader.theme([name, key], of);
    } else if (name === 'keys') {
      keys.push(...readKeys(reader, [name], reader.table([name], content)));
    } else if (name === 'mcp') {
      mcp = readServers(reader, reader.table([name], content));
    } else if (settingTables.has(name)) {
      readSettings(reader, name, content, values);
    } else {
      reader.unknown([name], knownTables);
    }
  }
  return { values, models, themes, keys, catalogue, mcp, warnings: reader.warnings };
}

/** The tables of servers. What stands beside them, and keys that mean nothing, are told. */
function readServers(reader: FileReader, table: TomlTable): TomlTable {
  for (const name of Object.keys(table)) if (name !== 'servers') reader.unknown(['mcp', name], ['servers']);
  const servers = reader.table(['mcp', 'servers'], table['servers'] ?? {});
  for (const [name, server] of Object.entries(servers))
    for (const key of Object.keys(isTable(server) ? server : {}))
      if (!Object.hasOwn(mcpRows, key)) reader.unknown(['mcp', 'servers', name, key], Object.keys(mcpRows));
  return servers;
}

function readSettings(reader: FileReader, name: string, content: unknown, into: Map<SettingKey, unknown>): void {
  for (const [key, raw] of Object.entries(reader.table([name], content))) {
    const full = `${name}.${key}`;
    const row = Object.hasOwn(rows, full) ? rows[full] : undefined;
    if (row === undefined) {
      const siblings = Object.keys(rows).filter((known) => known.startsWith(`${name}.`));
      reader.unknown(
        [name, key],
        siblings.map((known) => known.slice(name.length + 1)),
      );
      continue;
    }
    const found = row.kind.fromToml(raw);
    if (found === undefined) throw reader.wrong([name, key], row.kind.expected, raw);
    into.set(full as SettingKey, row.kind.known === undefined ? found : onlyKnown(reader, [name, key], found, row.kind.known));
  }
}

/** Names that mean nothing are told, with the line, and left out. */
function onlyKnown(reader: FileReader, path: readonly string[], found: unknown, known: readonly string[]): readonly string[] {
  const names = found as readonly string[];
  for (const name of names.filter((name) => !known.includes(name))) {
    const meant = nearest(name, known);
    reader.warnings.push(`${reader.where(path)} knows no "${name}" and leaves it out${meant === null ? '' : `; did you mean "${meant}"?`}`);
  }
  return names.filter((name) => known.includes(name));
}
