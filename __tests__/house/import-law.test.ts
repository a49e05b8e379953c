/** The import law is enforced: a runtime that looks at the screen does not pass. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'law-'));
beforeAll(() => {
  for (const name of ['lib', 'tsconfig.json', 'package.json', '.dependency-cruiser.mjs'])
    cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function arch() {
  const run = spawnSync(join(process.cwd(), 'node_modules', '.bin', 'depcruise'), ['--config', '.dependency-cruiser.mjs', 'lib'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { passed: run.status === 0, said: run.stdout + run.stderr };
}

test('the house as it stands keeps the law', () => {
  const { passed, said } = arch();
  expect([passed, said]).toEqual([true, expect.stringContaining('no dependency violations found')]);
});

test('each of these breaks it, by its own rule', () => {
  const crimes = [
    ['lib/runtime/peek.ts', "import { reduce } from '../view/reducer.js';\nexport const peek = reduce;\n", 'runtime-imports'],
    ['lib/view/peek.ts', "import type { Runtime } from '../runtime/runtime.js';\nexport type Peek = Runtime;\n", 'view-imports'],
    ['lib/tools/disk.ts', "import { readFileSync } from 'node:fs';\nexport const disk = readFileSync;\n", 'only-importer-of-fs'],
    ['lib/commands/box.ts', "import blessed from 'blessed';\nexport const box = blessed.box;\n", 'only-importer-of-blessed'],
  ] as const;
  for (const [path, source] of crimes) writeFileSync(join(folder, path), source);
  const { passed, said } = arch();
  for (const [path] of crimes) rmSync(join(folder, path));
  expect(passed).toBe(false);
  for (const [path, , rule] of crimes) expect(said).toMatch(new RegExp(`${rule}: ${path}`));
});
