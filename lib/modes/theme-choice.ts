/** Which theme the dashboard wears: a built-in one, with the user's own tokens over it. */

import { join } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { readFileSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { LoadedConfig } from '../config/load.js';
import { parseTheme, type Theme } from '../view/theme.js';

const DEFAULT_THEME = 'terminal';

/**
 * `display.theme`: a file of `themes/`, or a table `[themes.<name>]`, whose tokens lie over the built-in theme of that name or over the
 * default. What cannot be used is told by `onNotice`, and the theme without it is given.
 */
export function themeOf(host: Host, config: LoadedConfig, onNotice: (text: string) => void): Theme {
  const name = config.settings['display.theme'];
  const own = config.themes[name];
  const builtIn = sourceOf(host, name);
  if (builtIn === null && own === undefined) onNotice(`there is no theme "${name}"; ${DEFAULT_THEME} is used`);
  const base = builtIn ?? sourceOf(host, DEFAULT_THEME) ?? '{"name":"plain"}';
  if (own === undefined) return parseTheme(base);
  try {
    const parsed = JSON.parse(base) as { readonly tokens?: object };
    return parseTheme(JSON.stringify({ ...parsed, name, tokens: { ...parsed.tokens, ...own } }));
  } catch (thrown) {
    if (!(thrown instanceof BuddyError)) throw thrown;
    onNotice(`[themes.${name}] is not used: ${thrown.message}`);
    return parseTheme(base);
  }
}

/** The JSON of a built-in theme, or null when there is none of that name. */
function sourceOf(host: Host, name: string): string | null {
  if (!/^[a-z0-9_-]+$/.test(name)) return null;
  try {
    return readFileSync(join(host.packageDir, 'themes', `${name}.json`), 'utf8');
  } catch {
    return null;
  }
}
