/** The terminal comes back, whatever ends the program: a real bash on a real pty runs a small program on the compiled engine. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processExists, runProcess } from '../../lib/base/process.js';
import { type PtyProgram, shellPrints, startOnPty, startShellOnPty } from '../support/pty.js';
import { until } from '../support/until.js';

const app = fileURLToPath(new URL('./apps/terminal-app.mjs', import.meta.url));
const built = existsSync(fileURLToPath(new URL('../../dist/lib/tui/terminal.js', import.meta.url)));
const restored = { alternate: false, mouse: 'none', paste: false, focus: false, wrap: true, applicationKeys: false, cursorShown: true };
const taken = { alternate: true, mouse: 'drag', paste: true, focus: true, wrap: false };

const open: PtyProgram[] = [];
afterEach(() => {
  for (const program of open.splice(0)) program.dispose();
});

async function inShell() {
  const shell = await startShellOnPty();
  open.push(shell);
  const settings = await shellPrints(shell, 'stty -a');
  expect(settings).toContain('icanon');
  const start = async () => {
    shell.send(`node ${app}\r`);
    const pid = Number((await shell.until(/READY pid (\d+)/))[1]);
    expect(shell.terminal.modes()).toMatchObject(taken);
    return pid;
  };
  /** The program has ended with `code`, and terminal and settings are as before it. */
  const isAsBefore = async (code: number) => {
    await shell.until(/prompt\$$/);
    // bash turns its own bracketed paste on at a prompt.
    expect({ ...shell.terminal.modes(), paste: false }).toEqual(restored);
    const after = await shellPrints(shell, 'echo "code $status"; stty -a');
    expect(after).toBe(`code ${code}\n${settings}`);
  };
  return { shell, start, isAsBefore };
}

test('the engine is compiled', () => {
  expect(built ? 'built' : 'run "npm run build" first').toBe('built');
});

describe('the terminal is restored after', () => {
  test('quitting', async () => {
    const { shell, start, isAsBefore } = await inShell();
    await start();
    shell.send('q');
    await isAsBefore(0);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s', async (signal, code) => {
    const { start, isAsBefore } = await inShell();
    process.kill(await start(), signal);
    await isAsBefore(code);
  });

  test('an uncaught exception, with its stack', async () => {
    const { shell, start, isAsBefore } = await inShell();
    await start();
    shell.send('x');
    await shell.until(/Error: boom\n +at /);
    await isAsBefore(70);
  });

  test('an unhandled rejection', async () => {
    const { shell, start, isAsBefore } = await inShell();
    await start();
    shell.send('r');
    await shell.until(/Error: rejected/);
    await isAsBefore(70);
  });

  test('SIGKILL: the guardian does it', async () => {
    const { shell, start } = await inShell();
    process.kill(await start(), 'SIGKILL');
    await until('the terminal is restored', () => {
      const modes = shell.terminal.modes();
      return !modes.alternate && modes.mouse === 'none' && modes.wrap && modes.cursorShown && !modes.focus;
    });
    shell.send('\r');
    await shell.until(/prompt\$$/);
    expect(await shellPrints(shell, 'stty -a')).toMatch(/icanon/);
  });

  test('SIGKILL without a shell that helps: settings too', async () => {
    const shell = await startShellOnPty();
    open.push(shell);
    const settings = await shellPrints(shell, 'stty -a');
    shell.send(`sh -c 'node ${app}; until stty -a | grep -q " icanon"; do :; done; stty -a | sed "s/^/after /"; echo all done'\r`);
    const pid = Number((await shell.until(/READY pid (\d+)/))[1]);
    process.kill(pid, 'SIGKILL');
    await until('the settings are shown', () => /all done\r?\n/.test(shell.raw()));
    const after = shell.raw().slice(shell.raw().indexOf('after '));
    for (const line of settings.trim().split('\n')) expect(after).toContain(`after ${line}`);
  });
});

describe('suspended and continued', () => {
  test.each([
    ['Ctrl+Z', (shell: PtyProgram) => shell.send('\x1a')],
    ['kill -TSTP', (_: PtyProgram, pid: number) => process.kill(pid, 'SIGTSTP')],
  ] as const)('by %s and fg', async (_name, stop) => {
    const { shell, start, isAsBefore } = await inShell();
    const pid = await start();
    for (const round of [1, 2]) {
      stop(shell, pid);
      await shell.until(/Stopped[\s\S]*prompt\$$/);
      expect({ ...shell.terminal.modes(), paste: false }).toEqual(restored);
      expect(await shellPrints(shell, 'stty -a')).toMatch(/ icanon[\s\S]* echo /);
      shell.send('fg\r');
      await shell.until(/READY pid/);
      await until('the terminal is taken again', () => shell.terminal.modes().paste && shell.terminal.modes().alternate);
      expect(shell.terminal.modes()).toMatchObject(taken);
      shell.send(String(round));
      await shell.until(new RegExp(`keys .*${round}`));
    }
    shell.send('q');
    await isAsBefore(0);
  });

  test('by SIGSTOP, of which it learns nothing', async () => {
    const { shell, start, isAsBefore } = await inShell();
    process.kill(await start(), 'SIGSTOP');
    await until('the shell says so', () => shell.raw().includes('Stopped'));
    shell.send('fg\r');
    await until('it paints again', () => /fg[\s\S]*READY/.test(shell.raw().slice(shell.raw().indexOf('Stopped'))));
    shell.send('k');
    await shell.until(/keys .*k/);
    shell.send('q');
    await isAsBefore(0);
  });

  test('where nothing can continue it, it stays', async () => {
    const program = startOnPty('node', [app]);
    open.push(program);
    await program.until(/READY/);
    program.send('\x1a');
    program.send('k');
    await program.until(/keys .*C-z.* k/);
    expect(program.terminal.modes()).toMatchObject(taken);
    program.send('q');
    expect(await program.ended()).toEqual({ exitCode: 0, signal: 0 });
  });
});

describe('where the terminal speaks the Kitty keyboard protocol', () => {
  const off = { normal: 0, alternate: 0 };
  const on = { normal: 0, alternate: 5 };

  async function started() {
    const shell = await startShellOnPty({ kitty: true });
    open.push(shell);
    shell.send(`node ${app}\r`);
    const pid = Number((await shell.until(/READY pid (\d+)/))[1]);
    await until('it is used', () => shell.terminal.kitty().alternate !== 0);
    expect(shell.terminal.kitty()).toEqual(on);
    return { shell, pid };
  }

  test.each<[string, (shell: PtyProgram, pid: number) => unknown]>([
    ['quitting', (shell) => shell.send('q')],
    ['SIGTERM', (_, pid) => process.kill(pid, 'SIGTERM')],
    ['SIGHUP', (_, pid) => process.kill(pid, 'SIGHUP')],
    ['an uncaught exception', (shell) => shell.send('x')],
    ['SIGKILL', (_, pid) => process.kill(pid, 'SIGKILL')],
  ])('the shell has the keys of old after %s', async (_name, end) => {
    const { shell, pid } = await started();
    end(shell, pid);
    await until('the screen is given back', () => !shell.terminal.modes().alternate);
    expect(shell.terminal.kitty()).toEqual(off);
    shell.send('\r');
    await shell.until(/prompt\$$/);
    expect(shell.terminal.kitty()).toEqual(off);
  });

  test('while it is suspended too; continued it has them again, once', async () => {
    const { shell } = await started();
    for (const stop of ['\x1b[122;5u', '\x1a']) {
      shell.send(stop);
      await shell.until(/Stopped[\s\S]*prompt\$$/);
      expect(shell.terminal.kitty()).toEqual(off);
      shell.send('fg\r');
      await shell.until(/READY pid/);
      await until('it is used again', () => shell.terminal.kitty().alternate === 5);
    }
    shell.send('q');
    await shell.until(/prompt\$$/);
    expect(shell.terminal.kitty()).toEqual(off);
  });

  test('also stopped by SIGSTOP, of which it learns nothing', async () => {
    const { shell, pid } = await started();
    process.kill(pid, 'SIGSTOP');
    await until('the shell says so', () => shell.raw().includes('Stopped'));
    shell.send('fg\r');
    await until('it paints again', () => /fg[\s\S]*READY/.test(shell.raw().slice(shell.raw().indexOf('Stopped'))));
    shell.send('k');
    await shell.until(/keys .*k/);
    expect(shell.terminal.kitty()).toEqual(on);
    shell.send('q');
    await until('the screen is given back', () => !shell.terminal.modes().alternate);
    expect(shell.terminal.kitty()).toEqual(off);
  });

  test('one that does not say so is never sent it', async () => {
    const { shell, start } = await inShell();
    await start();
    shell.send('k');
    await shell.until(/keys .*k/);
    shell.send('q');
    await shell.until(/prompt\$$/);
    expect(shell.raw()).toContain('\x1b[?u');
    expect(shell.raw()).not.toContain('\x1b[>5u');
  });
});

describe('nothing is left running', () => {
  async function guardianOf(pid: number): Promise<number> {
    const env = { PATH: process.env['PATH'] };
    return until('its guardian runs', async () => {
      const { stdout } = await runProcess('ps', ['-eo', 'pid=,ppid=,args='], { env }, new AbortController().signal);
      const line = stdout.split('\n').find((found) => Number(found.trim().split(/ +/)[1]) === pid && found.includes('buddy-tui-guardian'));
      return Number(line?.trim().split(/ +/)[0] ?? 0);
    });
  }

  test('after quitting', async () => {
    const program = startOnPty('node', [app]);
    open.push(program);
    const pid = Number((await program.until(/READY pid (\d+)/))[1]);
    const guardian = await guardianOf(pid);
    program.send('q');
    expect(await program.ended()).toEqual({ exitCode: 0, signal: 0 });
    await until('its guardian ends', () => !processExists(guardian));
  });

  test('when the terminal is closed', async () => {
    const program = startOnPty('node', [app]);
    open.push(program);
    const pid = Number((await program.until(/READY pid (\d+)/))[1]);
    const guardian = await guardianOf(pid);
    program.hangUp();
    await until('it ends', () => !processExists(pid));
    await until('its guardian ends', () => !processExists(guardian));
  });
});

test('a resize repaints for the new size', async () => {
  const program = startOnPty('node', [app]);
  open.push(program);
  await program.until(/size 80x24/);
  for (const cols of [81, 82, 90, 100]) program.resize(cols, 30);
  await program.until(/size 100x30/);
  program.resize(20, 5);
  await program.until(/size 20x5/);
  program.send('q');
  expect(await program.ended()).toEqual({ exitCode: 0, signal: 0 });
});

test('a terminal that takes nothing holds nothing up, and the program can still be ended', async () => {
  const program = startOnPty('node', [app], { cols: 150, rows: 40 });
  open.push(program);
  const pid = Number((await program.until(/READY pid (\d+)/))[1]);
  program.send('f');
  await until('it floods', () => program.raw().length > 20_000);
  program.pause();
  process.kill(pid, 'SIGTERM');
  await until('it ends', () => !processExists(pid));
  program.resume();
  await program.ended();
});
