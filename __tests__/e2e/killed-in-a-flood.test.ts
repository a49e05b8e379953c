/** Killed while a command prints without end: nothing of it goes on, and its tmux is gone. */

import { startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, programPath } from './eye.js';

test('its session ends, although what it printed last was never read', async () => {
  const home = freshHome();
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const program = startOnPty(process.execPath, [programPath()], { cols: 100, rows: 30, cwd: home.folder, env });
  try {
    await program.until(/pane shared · idle/, 30_000);
    program.send('!yes nothing-goes-on\r');
    await program.until(/nothing-goes-on\s+│\s*\n[^\n]*nothing-goes-on/, 20_000);
    expect(await home.tmux('ls')).toContain('buddy-');
    program.signal('SIGKILL');
    await program.ended();
    await until('its session is gone', async () => (await home.tmux('ls')) === '', 20_000);
  } finally {
    program.dispose();
    await home.dispose();
  }
}, 60_000);
