/** What the draft does outside of the screen, with the built program: own commands in the pane, $EDITOR, files behind `@`, history. */

import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { answer, type Eye, withEye } from './eye.js';

/** The program, with a command under way that does not end by itself. */
async function startBusy(eye: Eye): Promise<void> {
  await eye.start();
  await eye.line('run sleep 1000');
  await eye.sees(/approve on[\s\S]*sleep 1000/);
  await answer(eye, 'y', 'sleep 1000');
  await eye.sees(/pane shared · running sleep/);
}

test('"!" runs a command in the real pane without a question, shows it, and Esc stops a long one', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('!echo seen-$((40+2))');
    const shown = await eye.sees(/┊ exit 0 ·/);
    expect(shown).toMatch(/! +echo seen-\$\(\(40\+2\)\)/);
    expect(shown).toMatch(/┊ seen-42/);
    expect(shown).not.toContain('approve on');
    expect(await home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:')).toContain('seen-42');
    await eye.line('!sleep 1000');
    await eye.sees(/pane shared · running sleep/);
    await eye.line('!echo never');
    await eye.sees('a command of yours still runs');
    await eye.press('Escape');
    await eye.sees(/┊ interrupted/);
    await eye.sees(/pane shared · idle/);
    await eye.line('!echo after');
    await eye.sees(/┊ after/);
  }));

test('Ctrl+X Ctrl+E writes in $EDITOR and comes back; one that fails leaves the draft', () =>
  withEye(async (eye, home) => {
    const editor = join(home.folder, 'editor');
    writeFileSync(editor, '#!/bin/sh\nif [ -e "$HOME/fail" ]; then exit 3; fi\nprintf "from the editor\\r\\n" >>"$1"\n');
    chmodSync(editor, 0o700);
    await eye.line(`export EDITOR=${editor}`);
    await eye.start();
    await eye.type('begun ');
    await eye.press('C-x', 'C-e');
    await eye.sees(/> begun from the editor/);
    writeFileSync(join(home.folder, 'fail'), '');
    await eye.press('C-g');
    await eye.sees('the editor ended with exit code 3');
    await eye.sees(/> begun from the editor/);
  }));

test('a file is found by a few letters, and what was sent is found again in the next run', () =>
  withEye(async (eye, home) => {
    mkdirSync(join(home.folder, 'my notes'));
    writeFileSync(join(home.folder, 'my notes', 'plan of may.md'), '');
    await eye.start();
    await eye.type('read @plnmay');
    await eye.sees(/my notes\/plan of may\.md/);
    await eye.press('Tab');
    await eye.sees(/> read @"my notes\/plan of may\.md"/);
    await eye.press('Enter');
    await eye.sees(/✓ #1/);
    await eye.leave();
    await eye.sees('READY>');
    await eye.start();
    await eye.press('C-r');
    await eye.sees('earlier prompts');
    await eye.type('plan');
    await eye.press('Enter');
    await eye.sees(/> read @"my notes\/plan of may\.md"/);
  }));

test('a program that is killed: what was not sent is back in the next run', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.type('why is the disk full on ');
    const folder = join(home.folder, '.local/state/buddy');
    const kept = () => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('draft-'));
    await until('it is saved', kept);
    process.kill(eye.pid(), 'SIGKILL');
    await eye.sees('READY>');
    await eye.start();
    await eye.sees(/> why is the disk full on/);
    await eye.type('web-01?');
    await eye.press('Enter');
    await eye.sees(/● why is the disk full on web-01/);
    await until('it is kept no longer', () => !kept());
  }));

test('what waits can be moved, edited and deleted, and comes back at an interrupt', () =>
  withEye(async (eye) => {
    await startBusy(eye);
    for (const text of ['first to wait', 'second to wait', 'third to wait']) {
      await eye.type(text);
      await eye.sees(`> ${text}`);
      await eye.press('M-q');
      await eye.sees(`follow-up  ${text}`);
    }
    await eye.press('M-Up');
    await eye.sees('1 of 3');
    await eye.press('Down', 'Down');
    await eye.sees('3 of 3');
    await eye.press('S-Up');
    await eye.sees('2 of 3');
    await eye.press('Up');
    await eye.sees('1 of 3');
    await eye.press('DC');
    await eye.sees('1 of 2');
    await eye.press('Enter');
    await eye.sees(/> third to wait/);
    await eye.press('M-q');
    await eye.sees(/follow-up {2}second to wait[\s\S]*follow-up {2}third to wait/);
    await eye.press('Escape');
    await eye.sees(/> second to wait\s+third to wait/);
    await eye.sees(/pane shared · idle/);
  }));

test('what waits when the program is left is there in the next run', () =>
  withEye(async (eye) => {
    await startBusy(eye);
    await eye.type('left for later');
    await eye.press('M-q');
    await eye.sees('follow-up  left for later');
    await eye.line('/quit');
    await eye.sees('leave · tmux session');
    // Something runs: the answer counts once the question has been on the screen for a moment.
    for (let asked = true; asked; asked = (await eye.screen()).includes('leave ·')) await eye.press('e');
    await eye.sees('READY>');
    await eye.start();
    await eye.sees(/> left for later/);
  }));
