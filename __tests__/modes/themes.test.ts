/** The theme a user asked for is the theme they get; what cannot be used is said. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { rgb, rgbOf, type Style } from '../../lib/base/style.js';
import type { LoadedConfig } from '../../lib/config/load.js';
import { Themes, themeForBackground } from '../../lib/modes/themes.js';
import type { Theme, ThemeToken } from '../../lib/view/theme.js';

const home = mkdtempSync(join(tmpdir(), 'buddy-themes-'));
const own = join(home, '.config/buddy/themes');
mkdirSync(own, { recursive: true });
afterAll(() => rmSync(home, { recursive: true }));

const host = { packageDir: process.cwd(), homeDir: home, env: {} } as unknown as Host;
const themes = (tables: LoadedConfig['themes'] = {}) => new Themes(host, { themes: tables });
const builtIn = readdirSync('themes').map((file) => file.replace(/\.json$/, ''));

function chosen(name: string | null, tables: LoadedConfig['themes'] = {}) {
  const notices: string[] = [];
  return { theme: themes(tables).chosen(name, (text) => notices.push(text)), notices };
}

test.each(builtIn)('built in: %s', (name) => {
  expect(chosen(name)).toMatchObject({ theme: { name }, notices: [] });
});

test('own tokens lie over the default, or over the built-in theme of that name', () => {
  const { theme, notices } = chosen('mine', { mine: { border: 'bold red' } });
  expect(notices).toEqual([]);
  expect(theme.styles.border).toEqual({ bold: true, fg: 1 });
  expect(theme.styles.title).toEqual(chosen('terminal').theme.styles.title);
  expect(chosen('nord', { nord: { border: 'red' } }).theme.styles.title).toEqual(chosen('nord').theme.styles.title);
});

test('a theme that is not there, a path, a wrong token and a broken file are told, and the default is worn', () => {
  expect(chosen('nope')).toMatchObject({ theme: { name: 'terminal' }, notices: ['there is no theme "nope"; terminal is used'] });
  expect(chosen('../package').notices).toHaveLength(1);
  expect(chosen('mine', { mine: { nonsense: 'red' } }).notices[0]).toMatch(/^\[themes\.mine\]: .*no "nonsense"/);
  writeFileSync(join(own, 'broken.json'), '{"name": oops}');
  expect(chosen('broken').notices[0]).toMatch(/broken\.json is not JSON/);
  writeFileSync(join(own, 'lost.json'), '{"name": "lost", "extends": "nowhere"}');
  expect(chosen('lost').notices[0]).toContain('there is no such theme');
  writeFileSync(join(own, 'round.json'), '{"name": "round", "extends": "round"}');
  expect(chosen('round').notices).toEqual([]);
});

test("the user's own file, and pi's form of one", async () => {
  writeFileSync(join(own, 'sea.json'), '{"name": "sea", "extends": "dark", "vars": {"cyan_": "#00ffee"}}');
  expect(chosen('sea').theme.styles.accent).toEqual({ fg: rgb(0, 255, 238) });
  const pi = {
    name: 'mist',
    vars: { a: '#102030' },
    colors: { accent: 'a', text: 7, mdHeading: '#ffffff', selectedBg: '#000000', border: '' },
  };
  writeFileSync(join(own, 'mist.json'), JSON.stringify(pi));
  expect(chosen('mist')).toMatchObject({
    notices: [],
    theme: {
      styles: { accent: { fg: rgb(16, 32, 48) }, text: { fg: 7 }, markdown_heading: { bold: true, fg: rgb(255, 255, 255) }, border: {} },
    },
  });
  expect(await themes({ table: {} }).names()).toEqual(expect.arrayContaining(['auto', 'sea', 'mist', 'table', ...builtIn]));
});

test('what was picked holds for the next start, unless the settings say otherwise', async () => {
  await themes().pick('gruvbox');
  expect(chosen(null).theme.name).toBe('gruvbox');
  expect(chosen('light').theme.name).toBe('light');
});

test.each([
  ['\x1b]11;rgb:0000/0000/0000\x1b\\', 'dark'],
  ['\x1b]11;rgb:ffff/ffff/ffff\x07', 'light'],
  ['\x1b]11;rgb:fd/f6/e3\x1b\\', 'light'],
  ['\x1b]11;rgba:1e1e/1e1e/2e2e/ffff\x1b\\', 'dark'],
  ['\x1b]10;rgb:ffff/ffff/ffff\x1b\\', null],
  ['\x1b[?62;4c', null],
])('%j is %s', (reply, name) => {
  expect(themeForBackground(reply)).toBe(name);
});

/** Relative luminance (WCAG 2.1). */
function luminance(color: number): number {
  const [red, green, blue] = (rgbOf(color) ?? [0, 0, 0]).map((byte) => {
    const value = byte / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(style: Style, ground: Style): number {
  const [light, dark] = [luminance(style.fg ?? ground.fg ?? 0), luminance(style.bg ?? ground.bg ?? 0)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

const withGround = builtIn.filter((name) => !['terminal', 'mono'].includes(name));

test.each(withGround)('%s: every text has a contrast of 4.5 or more, lines of 3 (WCAG 2.1)', (name) => {
  const { styles, ground }: Theme = chosen(name).theme;
  expect(ground).not.toBeNull();
  const weak = (Object.entries(styles) as [ThemeToken, Style][])
    .filter(([token]) => token !== 'cursor')
    .filter(([token, style]) => contrast(style, ground ?? {}) < (token === 'border' ? 3 : 4.5))
    .map(([token, style]) => `${token} ${contrast(style, ground ?? {}).toFixed(2)}`);
  expect(weak).toEqual([]);
});

test('every file in themes/ says nothing that a theme does not know', () => {
  for (const name of builtIn) {
    const keys = Object.keys(JSON.parse(readFileSync(`themes/${name}.json`, 'utf8')) as object);
    expect(keys.filter((key) => !['name', 'extends', 'ground', 'vars', 'tokens'].includes(key))).toEqual([]);
  }
});
