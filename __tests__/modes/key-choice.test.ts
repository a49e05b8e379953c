/** Keys from buddy.toml and keybindings.json: what holds, and what is said of the rest. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { loadConfig } from '../../lib/config/load.js';
import { bindingsOf } from '../../lib/modes/key-choice.js';

const home = mkdtempSync(join(tmpdir(), 'buddy-keys-'));
const folder = join(home, '.config', 'buddy');
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(home, { recursive: true }));

/** The bindings and notices of both files. */
async function chosen(toml: string, json?: string) {
  writeFileSync(join(folder, 'buddy.toml'), toml);
  const path = join(folder, 'keybindings.json');
  if (json === undefined) rmSync(path, { force: true });
  else writeFileSync(path, json);
  const host = { homeDir: home, cwd: home, env: {} } as unknown as Host;
  const config = await loadConfig({ host });
  const notices: string[] = [...config.warnings];
  const bindings = bindingsOf(host, config, (text) => notices.push(text.replaceAll(folder, '~')));
  return { bindings: Object.fromEntries(bindings), notices };
}

test('[keys]: a key, a list, none; quoted, dotted, in one context only', async () => {
  const toml = '[keys]\nzoom = "f9"\npalette.open = ["f2", "ctrl+space"]\n"draft.redo" = ""\n"pane/help.open" = "h"\n';
  expect(await chosen(toml)).toEqual({
    bindings: {
      'pane/zoom': ['f9'],
      'global/zoom': ['f9'],
      'global/palette.open': ['f2', 'C-space'],
      'editor/draft.redo': [],
      'pane/help.open': ['h'],
    },
    notices: [],
  });
});

test('a wrong kind of value ends the start, with the line', async () => {
  await expect(chosen('[keys]\n\nzoom = 3\n')).rejects.toThrow(
    /buddy\.toml:3: keys\.zoom must be a key such as "ctrl\+o", or a list of keys, not 3/,
  );
});

test('an unknown action and a key with two meanings name their line', async () => {
  const { notices } = await chosen('[keys]\nzom = "f9"\n"conversation.copy" = "k"\n', '{\n  "app.interrupt": "bogus+x"\n}');
  expect(notices).toEqual([
    expect.stringMatching(/keybindings\.json:2: app\.interrupt: "bogus\+x" is no key/),
    expect.stringMatching(/buddy\.toml:2: keys\.zom names no action; did you mean "zoom"\?/),
    expect.stringMatching(/buddy\.toml:3: keys\.conversation\.copy: k already means "conversation\.up" there/),
  ]);
});

test("pi's names are understood, buddy.toml wins over them, and names of what is not here are no fault", async () => {
  const json = '{ "tui.editor.undo": "ctrl+-", "app.tools.expand": ["f8"], "app.tree.foldOrUp": "left", "app.message.copy": [] }';
  expect(await chosen('[keys]\nexpandAll = "f7"\n', json)).toEqual({
    bindings: { 'editor/draft.undo': ['C--'], 'global/expandAll': ['f7'], 'conversation/conversation.copy': [] },
    notices: [],
  });
});

test('a broken file is ignored and says where', async () => {
  const { bindings, notices } = await chosen('', '{\n  "zoom": "f9",\n  oops\n}');
  expect(bindings).toEqual({});
  expect(notices).toEqual([expect.stringMatching(/^~\/keybindings\.json:3 is not JSON and is ignored:/)]);
  expect((await chosen('', '[]')).notices).toEqual([expect.stringContaining('must be an object of actions')]);
  expect((await chosen('', '{"zoom": 5}')).notices).toEqual([expect.stringMatching(/:1: zoom must be a key or a list of keys/)]);
});
