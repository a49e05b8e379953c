/** The person takes the pane over, in the real program on real tmux: keys, paste, vim, /attach; and what the model is told after it. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { jest } from '@jest/globals';
import { until } from '../support/until.js';
import { answer, type Eye, type Home, withEye } from './eye.js';

// Each wait inside has its own limit and says what it saw.
jest.setTimeout(60_000);

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on({ predicate: () => true }, { content: 'I have read it.' });
  await mock.start();
});
afterAll(() => mock.stop());

function configure(home: Home): void {
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [`api_base_url = "${mock.url}/v1"`, 'api = "completions"', 'model = "mock-1"', 'api_key = "key-for-tests-only"'];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
}

/** The texts of the user's side of the newest request. */
async function nextRequest(eye: Eye): Promise<string> {
  await eye.line('what now?');
  await eye.sees('I have read it.');
  return JSON.stringify(mock.getLastRequest()?.body);
}

async function takeOver(eye: Eye): Promise<void> {
  await eye.press('F6');
  await eye.sees('you have the keyboard · F6 hands back');
}

async function handBack(eye: Eye): Promise<string> {
  await eye.press('F6');
  const shown = await eye.sees('The agent has the keyboard again');
  expect(shown).not.toContain('F6 hands back');
  return shown;
}

test('what is typed goes to the pane; after the hand-back the model is told what was run, with exit code and folder', () =>
  withEye(async (eye, home) => {
    configure(home);
    await eye.start();
    await eye.type('a draft');
    await takeOver(eye);
    await eye.line('cd /tmp; false');
    await eye.sees(/hands back · idle · exit 1/);
    await eye.line(' echo hidden');
    await eye.sees(/│hidden/);
    await eye.sees(/hands back · idle · exit 0/);
    const shown = await handBack(eye);
    expect(shown).toMatch(/> a draft/);
    expect(shown).toContain('cd /tmp; false · exit 1 · /tmp');
    expect(shown).toContain('(private) · exit 0 · /tmp');
    await eye.press('C-u');
    const request = await nextRequest(eye);
    expect(request).toContain('1. cd /tmp; false → exit code 1, then in /tmp');
    expect(request).toContain('2. (private) → exit code 0, then in /tmp');
    expect(request).not.toContain('echo hidden');
  }));

test('a paste waits at the prompt as in any terminal, Ctrl+C is the pane’s, and the program goes on', () =>
  withEye(async (eye) => {
    await eye.start();
    // With the prompt comes what the shell wants of a paste.
    await eye.sees(/│root@\S+#/);
    await takeOver(eye);
    await eye.tmux('set-buffer', 'echo one-$((1+1))\necho two-$((2+2))');
    await eye.tmux('paste-buffer', '-p', '-t', 'e');
    await eye.sees(/echo one[\s\S]*echo two/);
    expect(await eye.screen()).not.toContain('one-2');
    await eye.press('Enter');
    await eye.sees(/one-2[\s\S]*two-4/);
    await eye.line('sleep 1000');
    await eye.sees(/running sleep/);
    await eye.press('C-c', 'C-c', 'C-c');
    await eye.sees(/idle · exit 130/);
    await handBack(eye);
    await eye.press('C-c');
    await eye.sees('Ctrl+C again to quit');
  }));

test('a click into the mirror takes over; a question waits meanwhile and its keys are the pane’s', () =>
  withEye(async (eye) => {
    await eye.start();
    await eye.line('how full is the disk?');
    await eye.sees('approve on this host');
    // SGR mouse reports: a click of the left button in the mirror.
    await eye.type('\x1b[<0;120;8M\x1b[<0;120;8m');
    await eye.sees('you have the keyboard · F6 hands back');
    await eye.line('echo y; echo n-$((40+2))');
    await eye.sees(/n-42/);
    await eye.sees(/hands back · idle · exit 0/);
    const waiting = await eye.screen();
    expect(waiting).toContain('approve on this host');
    expect(waiting).toContain('y: you have the keyboard of the pane');
    await handBack(eye);
    await answer(eye, 'y');
    await eye.sees(/The fullest file system is/);
  }));

const hasVim = spawnSync('sh', ['-c', 'command -v vim']).status === 0;
if (!hasVim) console.warn('vim is not installed: it is not tried');

(hasVim ? test : test.skip)('vim in the pane by keys: application cursor keys, Escape, the mirror shows it', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await takeOver(eye);
    await eye.line('vim -u NONE -N note');
    await eye.sees(/full-screen vim/);
    await eye.type('ibc');
    await eye.press('Left', 'Left');
    await eye.type('a');
    await eye.press('Down', 'End');
    await eye.type('d');
    await eye.press('Escape');
    await eye.type(':wq');
    await eye.press('Enter');
    await eye.sees(/hands back · idle · exit 0/);
    expect(readFileSync(join(home.folder, 'note'), 'utf8')).toBe('abcd\n');
    await handBack(eye);
  }),
);

test('/attach is the real tmux on the whole terminal; detaching comes back, with the same list', () =>
  withEye(async (eye, home) => {
    configure(home);
    await eye.start();
    await eye.line('/attach');
    await eye.sees(/\n\[buddy-age0:shared/);
    expect(await eye.screen()).not.toContain('conversation');
    await until('the pane has the size of the terminal', async () =>
      (await home.tmux('display-message', '-p', '-t', '=buddy-agent-mo:', '#{pane_width}x#{pane_height}')).includes('160x44'),
    );
    await eye.line('cd /tmp; (exit 9)');
    await eye.line('echo at-$?');
    await eye.sees('at-9');
    await eye.press('C-b', 'd');
    const shown = await eye.sees('The agent has the keyboard again');
    expect(shown).toContain('cd /tmp; (exit 9) · exit 9 · /tmp');
    expect(shown).toMatch(/┌─ conversation ─+┐┌─ pane shared/);
    expect(await nextRequest(eye)).toContain('1. cd /tmp; (exit 9) → exit code 9, then in /tmp');
    await eye.leave();
    await eye.sees('READY>');
    expect(await home.tmux('ls')).toBe('');
  }));

test('nothing that was typed is written down', () =>
  withEye(async (eye, home) => {
    await eye.start('--trace trace.jsonl -vv');
    await takeOver(eye);
    await eye.line('cat');
    await eye.sees(/running cat/);
    await eye.line('swordfish');
    await eye.sees(/swordfish[\s\S]*swordfish/);
    await eye.press('C-c');
    await eye.line('clear');
    await until('the pane was cleared', async () => !(await eye.screen()).includes('swordfish'));
    await handBack(eye);
    await eye.leave();
    await eye.sees('READY>');
    const written = (path: string) => (existsSync(join(home.folder, path)) ? readFileSync(join(home.folder, path), 'utf8') : '');
    expect(written('trace.jsonl')).toContain('"type":"pane.input"');
    for (const path of ['trace.jsonl', '.local/state/buddy/buddy.log', '.local/state/buddy/prompts.jsonl']) {
      expect(written(path)).not.toContain('swordfish');
    }
  }));
