/** However the program ends, the terminal is as it was: screen, cursor, mouse, paste mode, line settings. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { type Eye, type Home, withEye } from './eye.js';

const exists = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What is true of the terminal now. */
async function settings(eye: Eye, home: Home): Promise<string> {
  await eye.line('clear; stty -a > settings; cat -v');
  await until('cat reads', async () => (await eye.flag('pane_current_command')) === 'cat');
  await eye.tmux('set-buffer', 'PASTED');
  await eye.tmux('paste-buffer', '-p', '-t', 'e');
  const shown = await eye.sees('PASTED');
  await eye.press('C-c');
  await eye.sees(/\^C/);
  const flags = await Promise.all(['alternate_on', 'cursor_flag', 'mouse_any_flag', 'keypad_cursor_flag'].map((name) => eye.flag(name)));
  return [
    readFileSync(join(home.folder, 'settings'), 'utf8'),
    flags.join(' '),
    shown.split('\n').find((line) => line.includes('PASTED')),
  ].join('\n');
}

/** Runs the program, ends it by `end`, and compares the terminal before and after. */
function restoredAfter(
  end: (eye: Eye) => Promise<unknown>,
  options: { readonly flags?: string; readonly code?: number } = {},
): Promise<void> {
  return withEye(async (eye, home) => {
    const before = await settings(eye, home);
    await eye.start('', /pane shared · idle/, options.flags);
    expect(await eye.flag('alternate_on')).toBe('1');
    expect(await eye.flag('mouse_any_flag')).toBe('1');
    const pid = eye.pid();
    await end(eye);
    await until('the program is gone', () => !exists(pid));
    await until('the screen is given back', async () => (await eye.flag('alternate_on')) === '0');
    await eye.line('echo code=$?');
    const told = await eye.sees(/code=\d+/);
    if (options.code !== undefined) expect(told).toContain(`code=${options.code}`);
    expect(await settings(eye, home)).toBe(before);
  });
}

const signal = (name: NodeJS.Signals) => async (eye: Eye) => process.kill(eye.pid(), name);

test('/quit', () => restoredAfter((eye) => eye.leave(), { code: 0 }));
test('Ctrl+C twice', () =>
  restoredAfter(
    async (eye) => {
      await eye.press('C-c');
      await eye.sees(/again/i);
      await eye.press('C-c');
      await eye.sees('leave · tmux session');
      await eye.press('e');
    },
    { code: 0 },
  ));
test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
] as const)('%s', (name, code) => restoredAfter(signal(name), { code }));
test('SIGKILL: the guardian does it', () => restoredAfter(signal('SIGKILL'), { code: 137 }));

/** A module that makes the program throw when it gets SIGUSR2. */
function thrower(kind: 'throw' | 'reject'): string {
  const act = kind === 'throw' ? 'throw new Error("boom")' : 'Promise.reject(new Error("boom"))';
  return `--import "data:text/javascript,process.on(\\"SIGUSR2\\",()=>{${encodeURIComponent(act)}})"`;
}

test('an uncaught exception, with its trace', () =>
  restoredAfter(
    async (eye) => {
      await signal('SIGUSR2')(eye);
      await eye.sees('Error: boom');
    },
    { flags: thrower('throw'), code: 70 },
  ));
test('an unhandled rejection, with its trace', () =>
  restoredAfter(
    async (eye) => {
      await signal('SIGUSR2')(eye);
      await eye.sees('Error: boom');
    },
    { flags: thrower('reject'), code: 70 },
  ));

test('Ctrl+Z gives the terminal back, fg takes it again with the same screen', () =>
  withEye(async (eye, home) => {
    await eye.line('set -m');
    const before = await settings(eye, home);
    await eye.start();
    await eye.press('C-z');
    await eye.sees(/Stopped/);
    expect(await eye.flag('alternate_on')).toBe('0');
    expect(await settings(eye, home)).toBe(before);
    await eye.line('fg');
    await eye.sees(/pane shared · idle/);
    expect(await eye.flag('alternate_on')).toBe('1');
    await eye.leave();
    await eye.sees(/READY>/);
    expect(await settings(eye, home)).toBe(before);
  }));

test('D8: $EDITOR gets the terminal as the shell had it: no paste marks, no mouse; afterwards all is as before', () =>
  withEye(async (eye, home) => {
    const before = await settings(eye, home);
    const editor = join(home.folder, 'editor');
    writeFileSync(editor, '#!/bin/sh\nclear; stty -a >"$HOME/settings"; echo EDITING; exec cat -v\n', { mode: 0o700 });
    await eye.line(`export EDITOR=${editor}`);
    await eye.start();
    await eye.press('C-g');
    await eye.sees('EDITING');
    await eye.tmux('set-buffer', 'PASTED');
    await eye.tmux('paste-buffer', '-p', '-t', 'e');
    const row = (await eye.sees('PASTED')).split('\n').find((line) => line.includes('PASTED'));
    const names = ['alternate_on', 'cursor_flag', 'mouse_any_flag', 'keypad_cursor_flag'];
    const flags = await Promise.all(names.map((name) => eye.flag(name)));
    expect([readFileSync(join(home.folder, 'settings'), 'utf8'), flags.join(' '), row].join('\n')).toBe(before);
    await eye.press('C-d', 'C-d');
    await eye.sees(/pane shared · idle/);
    expect(await Promise.all(['alternate_on', 'mouse_any_flag'].map((name) => eye.flag(name)))).toEqual(['1', '1']);
    await eye.tmux('paste-buffer', '-p', '-t', 'e');
    await eye.sees(/> PASTED$/m);
    await eye.press('C-u');
    await eye.leave();
    await eye.sees(/READY>/);
    expect(await settings(eye, home)).toBe(before);
  }));

test('a closed terminal ends the program and its session', () =>
  withEye(async (eye, home) => {
    await eye.start();
    const pid = eye.pid();
    writeFileSync(join(home.folder, 'x'), '');
    await eye.tmux('split-window', '-d', '-t', 'e', 'sleep 100');
    await eye.tmux('kill-pane', '-t', 'e.0');
    await until('the program is gone', () => !exists(pid));
    await until('its session is gone', async () => (await home.tmux('ls')) === '');
  }));
