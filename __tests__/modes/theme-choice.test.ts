/** The theme a user asked for is the theme they get; what cannot be used is said. */

import type { Host } from '../../lib/base/host.js';
import type { LoadedConfig } from '../../lib/config/load.js';
import { defaultSettings } from '../../lib/config/settings.js';
import { themeOf } from '../../lib/modes/theme-choice.js';

const host = { packageDir: process.cwd() } as Host;

function choose(name: string, themes: LoadedConfig['themes'] = {}) {
  const notices: string[] = [];
  const config = { settings: { ...defaultSettings(), 'display.theme': name }, themes } as LoadedConfig;
  return { theme: themeOf(host, config, (text) => notices.push(text)), notices };
}

test.each(['terminal', 'dark', 'light', 'mono'])('built in: %s', (name) => {
  const { theme, notices } = choose(name);
  expect([theme.name, notices]).toEqual([name, []]);
});

test('own tokens lie over the default, or over the built-in theme of that name', () => {
  const { theme, notices } = choose('mine', { mine: { border: 'bold red' } });
  expect(notices).toEqual([]);
  expect(theme.styles.border).toEqual({ bold: true, fg: 1 });
  expect(theme.styles.title).toEqual(choose('terminal').theme.styles.title);
  expect(choose('dark', { dark: { border: 'red' } }).theme.styles.title).toEqual(choose('dark').theme.styles.title);
});

test('a theme that is not there, a path, and a wrong token are told', () => {
  expect(choose('nope')).toMatchObject({ theme: { name: 'terminal' }, notices: ['there is no theme "nope"; terminal is used'] });
  expect(choose('../package').notices).toHaveLength(1);
  expect(choose('mine', { mine: { nonsense: 'red' } }).notices[0]).toContain('[themes.mine] is not used');
});
