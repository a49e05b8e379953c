/** The themes there are: built-in ones, the user's own files (ours or pi's), and tables of buddy.toml over them. */

import { join } from 'node:path';
import { BuddyError, messageOf } from '../base/errors.js';
import { mkdir, readdir, readTextIfPresent, readWhole, writeAtomically } from '../base/files.js';
import type { Host } from '../base/host.js';
import { configDir, type LoadedConfig } from '../config/load.js';
import { parseTheme, type Theme } from '../view/theme.js';
import { fromPiTheme } from './pi-theme.js';
import { stateFolder } from './state-folder.js';

const DEFAULT_THEME = 'terminal';
/** Chooses dark or light by what the terminal says of its background. */
export const AUTO_THEME = 'auto';
const NAME = /^[a-z0-9_-]+$/i;
/** A theme that extends one that extends one … */
const DEEPEST = 5;

/** What a theme file says before it is a theme. */
type ThemeFile = Readonly<Record<string, unknown>>;

/** Reads the themes of this installation and this user. */
export class Themes {
  readonly #host: Host;
  readonly #config: Pick<LoadedConfig, 'themes'>;
  #offered: ReadonlyMap<string, ThemeFile> = new Map();

  constructor(host: Host, config: Pick<LoadedConfig, 'themes'>) {
    this.#host = host;
    this.#config = config;
  }

  /** Themes that are no files; a file of that name comes first. */
  offer(themes: readonly { readonly name: string; readonly source: ThemeFile }[]): void {
    this.#offered = new Map(themes.map(({ name, source }) => [name, source]));
  }

  /** Names in the order of the alphabet, `auto` first. Never rejects. */
  async names(): Promise<readonly string[]> {
    const folders = [join(this.#host.packageDir, 'themes'), this.#ownFolder()];
    const listed = await Promise.all(folders.map((folder) => readdir(folder).catch((): string[] => [])));
    const files = listed.flat().flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
    return [AUTO_THEME, ...[...new Set([...files, ...Object.keys(this.#config.themes), ...this.#offered.keys()])].sort()];
  }

  /** The theme of that name. Throws `theme.unknown`, `theme.syntax` (with the file). */
  load(name: string): Theme {
    const own = Object.hasOwn(this.#config.themes, name) ? this.#config.themes[name] : undefined;
    const file = this.#file(name);
    if (file === null && own === undefined)
      throw new BuddyError('theme.unknown', `there is no theme "${name}"`, { hint: '/theme lists them.' });
    const base = this.#extended(file ?? this.#file(DEFAULT_THEME) ?? {}, 0);
    const tokens = { ...(base['tokens'] as object | undefined), ...own };
    try {
      return parseTheme(JSON.stringify({ ...base, name, tokens }));
    } catch (thrown) {
      const where = own === undefined ? `themes/${name}.json` : `[themes.${name}]`;
      throw new BuddyError('theme.syntax', `${where}: ${messageOf(thrown)}`, { cause: thrown });
    }
  }

  /** The theme to start with: of the settings, else the one that was picked last, else the terminal's. Trouble is told, never thrown. */
  chosen(setting: string | null, onNotice: (text: string) => void): Theme {
    const wanted = setting ?? this.picked() ?? DEFAULT_THEME;
    if (wanted === AUTO_THEME) return this.load(DEFAULT_THEME);
    try {
      return this.load(wanted);
    } catch (thrown) {
      onNotice(`${messageOf(thrown)}; ${DEFAULT_THEME} is used`);
      return this.load(DEFAULT_THEME);
    }
  }

  /** Name of the theme that was picked in an earlier run, or null. */
  picked(): string | null {
    try {
      const name = (readTextIfPresent(this.#pickedFile()) ?? '').trim();
      return NAME.test(name) ? name : null;
    } catch {
      return null;
    }
  }

  /** Starts with this one from now on. Throws the system's error. */
  async pick(name: string): Promise<void> {
    await mkdir(stateFolder(this.#host), { recursive: true, mode: 0o700 });
    await writeAtomically(this.#pickedFile(), Buffer.from(`${name}\n`), 0o600);
  }

  #pickedFile(): string {
    return join(stateFolder(this.#host), 'theme');
  }

  #ownFolder(): string {
    return join(configDir(this.#host), 'themes');
  }

  /** The user's own file, else the built-in one; null when there is none. Throws `theme.syntax`. */
  #file(name: string): ThemeFile | null {
    if (!NAME.test(name)) return null;
    for (const folder of [this.#ownFolder(), join(this.#host.packageDir, 'themes')]) {
      const path = join(folder, `${name}.json`);
      let source: string;
      try {
        source = readWhole(path).toString('utf8');
      } catch {
        continue;
      }
      const parsed = parsedFile(source, path);
      return 'colors' in parsed ? fromPiTheme(parsed) : parsed;
    }
    return this.#offered.get(name) ?? null;
  }

  /** With vars and tokens of the theme that it extends under its own. */
  #extended(file: ThemeFile, depth: number): ThemeFile {
    const parent = file['extends'];
    if (typeof parent !== 'string' || depth >= DEEPEST) return file;
    const found = this.#file(parent);
    if (found === null) throw new BuddyError('theme.syntax', `the theme extends "${parent}", and there is no such theme`);
    const base = this.#extended(found, depth + 1);
    const over = (part: string) => ({ ...(base[part] as object | undefined), ...(file[part] as object | undefined) });
    return { ...base, ...file, vars: over('vars'), tokens: over('tokens') };
  }
}

function parsedFile(source: string, path: string): ThemeFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch (thrown) {
    throw new BuddyError('theme.syntax', `${path} is not JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as ThemeFile;
  throw new BuddyError('theme.syntax', `${path} must be an object with a name and tokens`);
}

/**
 * `dark` or `light` by an answer to OSC 11 (xterm "ctlseqs": `rgb:RRRR/GGGG/BBBB`), null when it is none: the relative luminance of
 * WCAG 2.1 against the middle of grey.
 */
export function themeForBackground(reply: string): 'dark' | 'light' | null {
  const parts = /\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(reply);
  if (parts === null) return null;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  const linear = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.18 ? 'light' : 'dark';
}
