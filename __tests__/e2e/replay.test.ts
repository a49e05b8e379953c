/** A run of the real program is recorded, and played again in a real terminal and in a file for asciinema: what was on the screen comes back. */

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHeadlessTerminal } from '../support/headless-terminal.js';
import { until } from '../support/until.js';
import { answer, type Eye, programPath, withEye } from './eye.js';

/** The screen once nothing has moved on it for two seconds: rates and elapsed times are drawn for a while. */
async function stillScreen(eye: Eye): Promise<string> {
  let shown = '';
  let sinceMs = 0;
  return until(
    'nothing moves on the screen',
    async () => {
      const now = await eye.screen();
      if (now !== shown) sinceMs = Date.now();
      shown = now;
      return Date.now() - sinceMs > 2000 ? now : null;
    },
    60_000,
  );
}

/** Plays a prompt with a question in it, and kills the program when its screen has come to rest; answers that screen. */
async function recorded(eye: Eye, file: string): Promise<string> {
  await eye.start(`--trace ${file}`);
  await eye.line('how full is the disk?');
  await eye.sees(/approve on this host/);
  await answer(eye, 'y');
  await eye.sees(/❯ df -h[\s\S]*The fullest file system is/);
  await eye.sees(/✓ #1|done/);
  await eye.line('/export cast session.cast');
  await eye.sees(/The session was written to/);
  const screen = await stillScreen(eye);
  process.kill(eye.pid(), 'SIGKILL');
  await eye.sees('READY>');
  return screen;
}

test('the last picture of a replay is the last picture of the run, and its keys play it', () =>
  withEye(async (eye, home) => {
    const file = join(home.folder, 't.jsonl');
    const screen = await recorded(eye, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const replay = `node ${programPath()} replay ${file}`;
    await eye.line(`clear; ${replay}; echo "code $?"`);
    await eye.sees(/▶ +\d+ s of/);
    await eye.press('G');
    await eye.sees(/■ +(\d+ s|[\d:]+) of/);
    await eye.press('h');
    expect(await eye.sees(/The fullest file system is[\s\S]*Enter send/)).toBe(screen);
    // Back to the start, to the prompt, and on from there by itself.
    await eye.press('h', 'g');
    await eye.sees(/■ +0 s of/);
    await eye.press(']', '+', '+', '+', '+');
    const asked = await eye.sees(/■ [\s\S]*×16/);
    expect(asked).toContain('how full is the disk?');
    expect(asked).not.toContain('The fullest');
    await eye.press('Space');
    await eye.sees(/The fullest file system is[\s\S]*■ +\d+ s of/);
    // Another size is drawn as that size.
    await eye.tmux('resize-window', '-t', 'e', '-x', '70', '-y', '20');
    await eye.sees(/■ +\d+ s of[^\n]*\n*$/);
    await eye.press('q');
    await eye.sees('code 0');

    const cast = join(home.folder, 'run.cast');
    execFileSync(process.execPath, [programPath(), 'replay', file, '--cast', cast], { env: home.env, cwd: home.folder });
    const [header, ...events] = readFileSync(cast, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ version: 2, width: 160, height: 45 });
    const terminal = createHeadlessTerminal(160, 45);
    for (const [, kind, data] of events) if (kind === 'o') await terminal.feed(data);
    expect(terminal.text()).toBe(screen.trimEnd());
    expect(events.filter(([, kind]) => kind === 'm').map(([, , text]) => text)).toEqual(['how full is the disk?']);
    terminal.dispose();

    // The session itself, as it is kept, drawn without the pane.
    const exported = readFileSync(join(home.folder, 'session.cast'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exported[0]).toMatchObject({ version: 2, width: 160, height: 45 });
    const other = createHeadlessTerminal(160, 45);
    for (const [, kind, data] of exported.slice(1)) if (kind === 'o') await other.feed(data);
    expect(other.text()).toMatch(/● how full is the disk\?[\s\S]*run_shell +df -h[\s\S]*The fullest file system is/);
    other.dispose();
  }));
