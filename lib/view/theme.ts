/** Themes: names of looks to styles. A theme file is JSON that the caller has read; this room reads no files. */

import { BuddyError, messageOf } from '../base/errors.js';
import { type Color, plain, rgb, type Style } from '../base/style.js';
import { visibleLine } from '../base/visible.js';

/** Every look that a widget may ask for. */
export const themeTokens = [
  'text',
  'muted',
  'accent',
  'border',
  'border_focused',
  'takeover',
  'title',
  'status_line',
  'status_name',
  'model_name',
  'gauge_low',
  'gauge_middle',
  'gauge_high',
  'policy_ask',
  'policy_open',
  'prompt_symbol',
  'user_text',
  'agent_label',
  'reasoning_label',
  'tool_call_glyph',
  'tool_call_name',
  'tool_call_args',
  'tool_result_text',
  'progress',
  'success',
  'warning',
  'error',
  'banner',
  'markdown_heading',
  'markdown_strong',
  'markdown_emphasis',
  'markdown_strike',
  'markdown_code',
  'markdown_code_block',
  'markdown_link',
  'markdown_link_target',
  'markdown_marker',
  'markdown_quote',
  'syntax_comment',
  'syntax_string',
  'syntax_number',
  'syntax_keyword',
  'syntax_name',
  'diff_added',
  'diff_removed',
  'diff_added_word',
  'diff_removed_word',
  'diff_number',
  'search_match',
  'search_current',
  'approval_border',
  'target_local',
  'target_ssh',
  'target_container',
  'approval_body',
  'approval_marker',
  'approval_key',
  'risk_low',
  'risk_medium',
  'risk_high',
  'selected',
  'pill',
  'toast',
  'paste_token',
  'key_name',
  'tab_active',
  'cursor',
] as const;

/** The name of a look. */
export type ThemeToken = (typeof themeTokens)[number];

/** A look for every token. */
export interface Theme {
  readonly name: string;
  readonly styles: Readonly<Record<ThemeToken, Style>>;
  /** Colours of everything that has none of its own, the pane's text too; null: the terminal's. */
  readonly ground: Style | null;
}

const flags = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike'] as const;
const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/**
 * The theme in `json`: `{"name", "vars": {word: colour}, "tokens": {token: look}}`. A look is words in any order:
 * `bold dim italic underline inverse strike`, a colour, `on` and a colour; '' is the terminal's own look. A colour is
 * `#rrggbb`, 0–255, one of the 16 names (`red`, `bright-red`) or a var. Tokens left out look like the terminal; `"ground"` is the look of everything that has no colours of its own.
 * Throws `theme.syntax`.
 */
export function parseTheme(json: string): Theme {
  const file = record(parseJson(json), 'the file');
  const name = file['name'];
  if (typeof name !== 'string' || name === '') throw bad('"name" is missing', 'Give the theme a name.');
  const vars = new Map<string, Color>();
  for (const [word, value] of Object.entries(record(file['vars'] ?? {}, '"vars"')))
    vars.set(word, colorOf(String(value), vars, `vars.${word}`));
  const looks = record(file['tokens'] ?? {}, '"tokens"');
  for (const token of Object.keys(looks)) {
    if (!(themeTokens as readonly string[]).includes(token))
      throw bad(`"tokens" has no "${token}"`, 'The known tokens are in lib/view/theme.ts.');
  }
  const styles = Object.fromEntries(themeTokens.map((token) => [token, styleOf(looks[token] ?? '', vars, `tokens.${token}`)]));
  const ground = file['ground'] === undefined ? null : styleOf(file['ground'], vars, 'ground');
  return { name, styles: styles as Record<ThemeToken, Style>, ground };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (thrown) {
    throw bad(`it is no JSON (${visibleLine(messageOf(thrown))})`, 'Check commas and quotes.');
  }
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(`${what} is no object`, 'Write {…} there.');
  return value as Record<string, unknown>;
}

function styleOf(value: unknown, vars: ReadonlyMap<string, Color>, where: string): Style {
  if (typeof value !== 'string') throw bad(`${where} is no text`, 'Write for example "bold red on black".');
  const words = value.split(' ').filter((word) => word !== '');
  if (words.length === 0) return plain;
  const style: { -readonly [K in keyof Style]: Style[K] } = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const flag = flags.find((known) => known === word);
    if (flag !== undefined) style[flag] = true;
    else if (word === 'on') style.bg = colorOf(words[++i] ?? '', vars, where);
    else style.fg = colorOf(word, vars, where);
  }
  return Object.freeze(style);
}

function colorOf(word: string, vars: ReadonlyMap<string, Color>, where: string): Color {
  const known = vars.get(word);
  if (known !== undefined) return known;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(word);
  if (hex !== null) return rgb(parseInt(hex[1] ?? '', 16), parseInt(hex[2] ?? '', 16), parseInt(hex[3] ?? '', 16));
  if (/^\d{1,3}$/.test(word) && Number(word) < 256) return Number(word);
  const bright = word.startsWith('bright-');
  const index = names.indexOf(bright ? word.slice('bright-'.length) : word);
  if (index < 0) throw bad(`${where} names the unknown colour "${word}"`, 'Use #rrggbb, 0–255, a name such as bright-red, or a var.');
  return index + (bright ? 8 : 0);
}

function bad(what: string, hint: string): BuddyError {
  return new BuddyError('theme.syntax', `the theme cannot be used: ${what}`, { hint });
}
