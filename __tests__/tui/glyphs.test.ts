/** What a terminal is drawn with that cannot show all of Unicode. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterWidth } from '../../lib/base/width.js';
import { type GlyphSet, type Glyphs, glyphSetOf, spellOut, standIn } from '../../lib/tui/glyphs.js';

test.each<[Readonly<Record<string, string>>, Glyphs, GlyphSet]>([
  [{ TERM: 'xterm-256color', LANG: 'de_DE.UTF-8' }, 'auto', 'unicode'],
  [{ TERM: 'xterm-256color', LANG: 'en_US.utf8' }, 'auto', 'unicode'],
  [{ TERM: 'xterm-256color' }, 'auto', 'unicode'],
  [{ TERM: 'tmux-256color', LANG: 'C' }, 'auto', 'ascii'],
  [{ TERM: 'xterm', LANG: 'POSIX' }, 'auto', 'ascii'],
  [{ TERM: 'xterm', LANG: 'de_DE@euro' }, 'auto', 'ascii'],
  [{ TERM: 'xterm', LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, 'auto', 'ascii'],
  [{ TERM: 'xterm', LANG: 'C', LC_CTYPE: 'C.UTF-8' }, 'auto', 'unicode'],
  [{ TERM: 'xterm', LANG: 'C.UTF-8', LC_ALL: '' }, 'auto', 'unicode'],
  [{ TERM: 'vt100', LANG: 'C.UTF-8' }, 'auto', 'ascii'],
  [{ TERM: 'vt220' }, 'auto', 'ascii'],
  [{ TERM: 'linux', LANG: 'C.UTF-8' }, 'auto', 'console'],
  [{ TERM: 'linux', LANG: 'C' }, 'auto', 'ascii'],
  [{ TERM: 'vt100', LANG: 'C' }, 'unicode', 'unicode'],
  [{ TERM: 'xterm', LANG: 'C.UTF-8' }, 'ascii', 'ascii'],
])('%j and "%s" in the settings: %s', (env, glyphs, set) => {
  expect(glyphSetOf(env, glyphs)).toBe(set);
});

/** Every character beyond ASCII that stands in our code outside of comments, with the first file that has it. */
function ownGlyphs(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const room of ['commands', 'modes', 'runtime', 'tools', 'tui', 'view', 'base']) {
    for (const entry of readdirSync(join('lib', room), { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.ts') || entry === 'glyphs.ts') continue;
      const code = readFileSync(join('lib', room, entry), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
      for (const character of code.replace(/(?:^|\s)\/\/ .*$/gm, ''))
        if (character > '~' && !found.has(character)) found.set(character, join(room, entry));
    }
  }
  return found;
}

test('every glyph of ours has a stand-in of its own: one cell for one cell', () => {
  const glyphs = ownGlyphs();
  expect(glyphs.size).toBeGreaterThan(40);
  const without = [...glyphs].filter(([glyph]) => !/^[ -~]$/.test(standIn(glyph, 'ascii') ?? '') || standIn(glyph, 'ascii') === '?');
  expect(without).toEqual([]);
  expect([...glyphs.keys()].filter((glyph) => clusterWidth(glyph) !== 1)).toEqual([]);
});

test('letters lose their accents, charts keep their shape, what is left is a question mark', () => {
  expect(spellOut('Größe in Łódź: ÅÉñ 漢 🚀 ⠁⣿', 'ascii')).toBe('Gro?e in ?odz: AEn ? ? .:');
});

test('the Linux console keeps lines, blocks and letters', () => {
  expect(spellOut('┌─┐ │ ▓░ Größe 漢 ● ◆ ✓ …', 'console')).toBe('┌─┐ │ ▓░ Größe 漢 * * + ~');
});
