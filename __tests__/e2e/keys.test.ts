/** The key tester on a real terminal: it shows what arrives and gives the terminal back at every end. */

import { type PtyProgram, shellPrints, startShellOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

const asBefore = { alternate: false, mouse: 'none', focus: false, wrap: true, applicationKeys: false, cursorShown: true };

/** Starts it in a shell, ends it by `end`, and compares the terminal before and after. */
async function inTester(
  code: number,
  end: (shell: PtyProgram, pid: number) => void,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const home: Home = freshHome();
  const shell = await startShellOnPty({ cwd: home.folder, env: { HOME: home.folder, ...env } });
  try {
    const settings = await shellPrints(shell, 'stty -a');
    shell.send(`sh -c 'echo pid $$; exec ${process.execPath} ${programPath()} keys'\r`);
    await shell.until(/buddy-tui keys[\s\S]*has not answered/);
    // What a terminal answers to the last question.
    shell.send('\x1b[?1;2c');
    await shell.until(/The terminal is plain/);
    expect(shell.terminal.modes()).toMatchObject({ alternate: true, mouse: 'drag', paste: true, wrap: false });
    shell.send('\x10');
    await shell.until(/Ctrl\+P \(C-p\) +10\n/);
    shell.send('\x1b[27;2;13~');
    await shell.until(/speaks modifyOtherKeys[\s\S]*Shift\+Enter \(S-enter\) +1b 5b 32 37 3b 32 3b 31 33 7e\n[\s\S]*Draft: new line/);
    end(shell, Number(/pid (\d+)/.exec(shell.raw())?.[1]));
    await until('the screen is given back', () => shell.fed().then(() => !shell.terminal.modes().alternate));
    // After SIGKILL the shell's prompt may have come before that, and gone with the screen.
    shell.send('\r');
    await shell.until(/prompt\$$/);
    expect({ ...shell.terminal.modes() }).toMatchObject(asBefore);
    expect(await shellPrints(shell, 'echo "code $status"; stty -a')).toBe(`code ${code}\n${settings}`);
  } finally {
    shell.dispose();
    await home.dispose();
  }
}

test('q twice', () => inTester(0, (shell) => shell.send('qq')));
test('Ctrl+C twice', () => inTester(0, (shell) => shell.send('\x03\x03')));
test('SIGTERM', () => inTester(143, (_shell, pid) => process.kill(pid, 'SIGTERM')));
test('SIGKILL: the guardian does it', () => inTester(137, (_shell, pid) => process.kill(pid, 'SIGKILL')));
