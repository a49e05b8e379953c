/** What an extension says it has, checked: it is a program of somebody else. */

import type { OfferedKey } from '../../protocol/extensions.js';
import { type HookPoint, hookPoints } from '../../runtime/hooks.js';
import type { ArgumentSchema } from '../../tools/tool.js';
import { offeredKeyName } from '../../view/offered-keys.js';
import { schemaFault } from './schema-check.js';

type Fields = Readonly<Record<string, unknown>>;

/** A tool of it. */
export interface ManifestTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ArgumentSchema;
  readonly asks: boolean;
}

/** A model of it. */
export interface ManifestProvider {
  readonly name: string;
  readonly model: string;
  readonly contextTokens: number;
  /** Where its server is; null: the extension makes the answers itself. */
  readonly server: { readonly baseUrl: string; readonly apiKey: string | null } | null;
}

/** All of it. */
export interface Manifest {
  readonly name: string;
  readonly tools: readonly ManifestTool[];
  readonly commands: readonly { readonly name: string; readonly says: string; readonly args: string }[];
  readonly providers: readonly ManifestProvider[];
  readonly themes: Readonly<Record<string, Fields>>;
  readonly keys: readonly Omit<OfferedKey, 'from'>[];
  readonly widgets: readonly { readonly id: string; readonly widget: unknown }[];
  readonly hooks: readonly HookPoint[];
}

/** What models take as the name of a tool, and what can be typed as a command. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** So many of a kind. */
const MOST = 64;
const LONGEST_TEXT = 8000;
const LARGEST_SCHEMA = 64 * 1024;

/** The manifest. Throws an Error whose message says what is wrong. */
export function readManifest(value: unknown): Manifest {
  const of = fields(value, 'the extension');
  const known = ['name', 'tools', 'commands', 'providers', 'themes', 'keys', 'widgets', 'hooks'];
  const unknown = Object.keys(of).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`"${unknown}" is no part of an extension; there are ${known.join(', ')}`);
  return {
    name: nameIn(of, 'the extension'),
    tools: list(of, 'tools').map(toolOf),
    commands: list(of, 'commands').map((entry) => {
      const name = nameIn(entry, 'a command');
      if (entry['runs'] !== true) throw new Error(`command ${name} has no function "run"`);
      return { name, says: textIn(entry, 'says', `command ${name}`), args: optional(entry, 'args', `command ${name}`) };
    }),
    providers: list(of, 'providers').map(providerOf),
    themes: themesOf(of['themes']),
    keys: list(of, 'keys').map((entry) => {
      const line = textIn(entry, 'line', 'a key');
      if (!line.startsWith('/')) throw new Error(`a key stands for a slash command, and "${line}" is none`);
      const key = textIn(entry, 'key', 'a key');
      if (offeredKeyName(key) === null)
        throw new Error(`"${key.slice(0, 40)}" is no key with Ctrl or Alt and no function key, as in "alt+t"`);
      return { key, line, says: textIn(entry, 'says', 'a key') };
    }),
    widgets: list(of, 'widgets').map((entry) => ({ id: nameIn(entry, 'a widget', 'id'), widget: entry })),
    hooks: hooksOf(of['hooks']),
  };
}

function toolOf(entry: Fields): ManifestTool {
  const name = nameIn(entry, 'a tool');
  const what = `tool ${name}`;
  if (entry['runs'] !== true) throw new Error(`${what} has no function "run"`);
  const parameters = fields(entry['parameters'], `"parameters" of ${what}`);
  if (parameters['type'] !== 'object') throw new Error(`"parameters" of ${what} must be a JSON Schema with type "object"`);
  if (JSON.stringify(parameters).length > LARGEST_SCHEMA) throw new Error(`"parameters" of ${what} is too long`);
  const fault = schemaFault(parameters);
  if (fault !== null) throw new Error(`"parameters" of ${what} is no JSON Schema: ${fault}`);
  const review = entry['review'] ?? 'ask';
  if (review !== 'ask' && review !== 'allow') throw new Error(`"review" of ${what} must be "ask" or "allow"`);
  // Some servers want it even when there are none.
  return { name, description: textIn(entry, 'description', what), parameters: { properties: {}, ...parameters }, asks: review === 'ask' };
}

function providerOf(entry: Fields): ManifestProvider {
  const name = nameIn(entry, 'a provider');
  const what = `provider ${name}`;
  const { contextTokens, baseUrl, streams } = entry;
  if (typeof contextTokens !== 'number' || !Number.isSafeInteger(contextTokens) || contextTokens < 1000)
    throw new Error(`${what} needs "contextTokens", a whole number of at least 1000`);
  if ((baseUrl === undefined) !== (streams === true)) throw new Error(`${what} needs either "baseUrl" or a function "stream"`);
  const model = optional(entry, 'model', what) || name;
  if (baseUrl === undefined) return { name, model, contextTokens, server: null };
  const url = textIn(entry, 'baseUrl', what);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`"baseUrl" of ${what} must begin with http:// or https://`);
  return { name, model, contextTokens, server: { baseUrl: url, apiKey: optional(entry, 'apiKey', what) || null } };
}

function themesOf(value: unknown): Manifest['themes'] {
  if (value === undefined) return {};
  return Object.fromEntries(
    Object.entries(fields(value, '"themes"')).map(([name, theme]) => {
      if (!NAME.test(name)) throw new Error(`"${name}" is no name for a theme`);
      return [name, fields(theme, `theme ${name}`)];
    }),
  );
}

function hooksOf(value: unknown): readonly HookPoint[] {
  if (!Array.isArray(value)) return [];
  return value.map((name: unknown) => {
    const point = hookPoints.find((of) => of === name);
    if (point === undefined) throw new Error(`there is no hook "${String(name)}"; there are ${hookPoints.join(', ')}`);
    return point;
  });
}

function fields(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`${what} must be an object`);
}

function list(of: Fields, name: string): readonly Fields[] {
  const value = of[name] ?? [];
  if (!Array.isArray(value)) throw new Error(`"${name}" must be a list`);
  if (value.length > MOST) throw new Error(`"${name}" has more than ${MOST} entries`);
  return value.map((entry) => fields(entry, `each entry of "${name}"`));
}

function nameIn(of: Fields, what: string, key = 'name'): string {
  const name = of[key];
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new Error(`${what} needs a "${key}" of lower case letters, digits, "_" and "-"`);
}

function textIn(of: Fields, key: string, what: string): string {
  const text = of[key];
  if (typeof text === 'string' && text.trim() !== '' && text.length <= LONGEST_TEXT) return text;
  throw new Error(`${what} needs "${key}", a text of at most ${LONGEST_TEXT} characters`);
}

function optional(of: Fields, key: string, what: string): string {
  return of[key] === undefined ? '' : textIn(of, key, what);
}
