/** What the first picture of the dashboard is loaded from: few files, and nothing that it can do without. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const bundle = 'dist/bundle';

/** The files that are loaded with `file`, itself included. */
function loadedWith(file: string, seen: Map<string, string>): Map<string, string> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, 'utf8');
  seen.set(file, text);
  for (const [, name = ''] of text.matchAll(/^(?:import|.*\} from) "(\.[^"]+)";/gm)) loadedWith(join(dirname(file), name), seen);
  return seen;
}

test('it comes from one file and the few that every mode needs, without what keys and commands mean', () => {
  if (!existsSync(bundle)) throw new Error('dist is missing: run "node scripts/build.mjs" first');
  const dashboard = readdirSync(join(bundle, 'chunks')).filter((name) => name.startsWith('dashboard-'));
  expect(dashboard).toHaveLength(1);
  const loaded = loadedWith(join(bundle, 'main.js'), loadedWith(join(bundle, 'chunks', dashboard[0] ?? ''), new Map()));
  expect(loaded.size).toBeLessThanOrEqual(8);
  const text = [...loaded.values()].join('\n');
  expect(text).toContain('Ask, or / for commands');
  // A line of /kill, and of a toast that a key makes.
  for (const later of ['stop a running task', 'There is no answer to copy yet.'])
    expect([later, text.includes(later)]).toEqual([later, false]);
});
