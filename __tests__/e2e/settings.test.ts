/** `/settings` in the built program: looked through, changed at once and for the next start, with the file as it was but for that. */

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Eye, freshHome, type Home, openEye } from './eye.js';

let home: Home;
let eye: Eye;
beforeEach(async () => {
  home = freshHome();
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(file(), own);
  chmodSync(file(), 0o640);
  eye = await openEye(home);
});
afterEach(async () => {
  eye.close();
  await home.dispose();
});

const file = () => join(home.folder, '.config', 'buddy', 'buddy.toml');
const text = () => readFileSync(file(), 'utf8');
const own = '# mine\n[display] # looks\ntheme = "dark"  # I like it\n\n[limits]\njobs = 20 # enough\n';

test('found by a word, changed, refused with what is expected, put back; what counts at once does', async () => {
  await eye.start();
  await eye.line('/settings');
  await eye.sees('agent.name');
  await eye.type('jobs');
  await eye.sees('How many commands may run in the background at a time.');
  await eye.press('Enter', 'C-u');
  await eye.type('many');
  await eye.press('Enter');
  await eye.sees('limits.jobs must be a whole number from 1 to 1000.');
  await eye.press('C-u');
  await eye.type('3');
  await eye.press('Enter');
  await eye.sees(/limits\.jobs = 3 in [\s\S]*buddy\.toml:6, at once\./);
  expect(text()).toBe(own.replace('20', '3'));
  await eye.press('C-u');
  await eye.type('screen.footer');
  await eye.press('Enter', 'C-u');
  await eye.type('cwd');
  await eye.press('Enter');
  await eye.sees('screen.footer = ["cwd"] in');
  await eye.press('C-d');
  await eye.sees('screen.footer has no line in');
  await eye.press('C-g');
  await eye.line('/limits jobs default');
  await eye.sees(/jobs +3 commands/);
  expect(text()).toBe(`${own.replace('20', '3')}\n[screen]\n`);
  expect(statSync(file()).mode & 0o777).toBe(0o640);
  await eye.leave();
});

test('a file that an editor has changed meanwhile is left alone', async () => {
  await eye.start();
  await eye.line('/settings');
  await eye.type('shell_confirm');
  await eye.sees('Ask before a command runs.');
  const edited = `${own}[editor]\nmode = "vi"\n`;
  writeFileSync(file(), edited);
  await eye.press('Enter');
  await eye.sees('has been changed meanwhile');
  expect(text()).toBe(edited);
  await eye.press('Enter');
  await eye.sees('tools.shell_confirm = false in');
  expect(text()).toBe(`${edited}\n[tools]\nshell_confirm = false\n`);
  await eye.press('C-g');
  await eye.leave();
});
