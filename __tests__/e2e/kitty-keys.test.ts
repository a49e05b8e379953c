/** The built program in a terminal that speaks the Kitty keyboard protocol: keys come so, and $EDITOR and the shell have them as before. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, programPath } from './eye.js';

test('keys come as codes; an editor and what follows the end have those of old', async () => {
  const home = freshHome();
  const editor = join(home.folder, 'editor');
  writeFileSync(editor, '#!/bin/sh\necho EDITING; read -r _\n', { mode: 0o700 });
  const env = { ...home.env, EDITOR: editor, TMPDIR: home.folder } as Record<string, string>;
  const program = startOnPty(process.execPath, [programPath()], { cwd: home.folder, env, kitty: true, cols: 120, rows: 36 });
  const { terminal } = program;
  await until('it is used', () => terminal.kitty().alternate === 5);
  await program.until(/pane shared · idle/);
  program.send('\x1b[112;5u');
  await program.until(/─ commands ─/);
  program.send('\x1b[27u');
  await until('the list is closed', () => !terminal.text().includes('─ commands ─'));
  // Shift+Enter, and Ctrl+G of a keyboard with Cyrillic letters.
  program.send('one\x1b[13;2utwo');
  await program.until(/> one\n +two/);
  program.send('\x1b[1087::103;5u');
  await program.until(/EDITING/);
  expect(terminal.kitty()).toEqual({ normal: 0, alternate: 0 });
  program.send('\r');
  await program.until(/> one\n +two/);
  await until('it is used again', () => terminal.kitty().alternate === 5);
  program.signal('SIGTERM');
  await program.ended();
  expect(terminal.kitty()).toEqual({ normal: 0, alternate: 0 });
  program.dispose();
  await home.dispose();
});
