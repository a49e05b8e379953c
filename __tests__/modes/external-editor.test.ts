/** Ctrl+G with real programs in place of an editor: what comes back, and that nothing is lost when it goes wrong. */

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { editExternally } from '../../lib/modes/external-editor.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buddy-editor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An "editor" that runs this script with the file as its last argument. */
function editor(script: string): string {
  const path = join(folder, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

const edit = (env: Readonly<Record<string, string>>, text: string) =>
  editExternally({ env: { PATH: process.env['PATH'], ...env } } as unknown as Host, text);

test('the text as it was saved comes back; $VISUAL counts before $EDITOR', async () => {
  const path = editor(`cp "$1" ${folder}/seen; printf 'one\\ntwo\\n' >"$1"`);
  expect(await edit({ VISUAL: path, EDITOR: 'false' }, 'draft\n  é')).toEqual({ text: 'one\ntwo' });
  expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe('draft\n  é');
});

test.each([
  ['CRLF', 'one\\r\\ntwo\\r\\n', 'draft', 'one\ntwo'],
  ['old Mac line ends', 'one\\rtwo', 'draft', 'one\ntwo'],
  ['no line end at the end', 'one', 'draft', 'one'],
  ['a line end that was there before', 'one\\n', 'draft\n', 'one\n'],
  ['an empty file', '', 'draft', ''],
  ['blank lines at the end', 'one\\n\\n', 'draft', 'one\n'],
  ['a byte order mark', '\\357\\273\\277one\\n', 'draft', 'one'],
])('%s', async (_name, saved, before, after) => {
  expect(await edit({ EDITOR: editor(`printf '${saved}' >"$1"`) }, before)).toEqual({ text: after });
});

test('arguments are read as a shell reads them', async () => {
  const path = editor(`printf '%s|' "$@" >${folder}/args; printf x >"$3"`);
  expect(await edit({ EDITOR: `${path} --wait 'a b'` }, 'draft')).toEqual({ text: 'x' });
  expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(/^--wait\|a b\|\/.*prompt\.md\|$/);
});

test.each([
  ['fails', 'printf lost >"$1"; exit 3', 'the editor ended with exit code 3: the draft is as it was'],
  ['is killed', 'kill -9 $$', /^the editor ended with .*: the draft is as it was$/],
  ['takes the file away', 'rm "$1"', /^the editor could not be started: .*no such file/],
])('an editor that %s leaves the draft as it was, and that is said', async (_name, script, trouble) => {
  expect(await edit({ EDITOR: editor(script) }, 'draft')).toEqual({
    trouble: typeof trouble === 'string' ? trouble : expect.stringMatching(new RegExp(trouble, 'i')),
  });
});

test('an editor that is not there is named', async () => {
  expect(await edit({ EDITOR: 'no-such-editor -x' }, 'draft')).toEqual({
    trouble: 'there is no editor "no-such-editor -x" (set VISUAL or EDITOR): the draft is as it was',
  });
});

test('with none set it is vi, and a blank setting is none', async () => {
  writeFileSync(join(folder, 'vi'), `#!/bin/sh\nprintf vi >"$1"\n`);
  chmodSync(join(folder, 'vi'), 0o700);
  const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
  expect(await editExternally({ env: { PATH, VISUAL: '', EDITOR: ' ' } } as unknown as Host, 'x')).toEqual({ text: 'vi' });
});
