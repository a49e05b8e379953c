/** Sessions that outlive the built program: left in order, killed in the middle, opened twice, and where nothing can be written. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { asLines, buddySession, piLines } from '../runtime/sessions/imports/fixtures.js';
import { startChatServer } from '../support/chat-server.js';
import { until } from '../support/until.js';
import { answer, freshHome, type Home, programPath, withEye } from './eye.js';

/** Two or three starts of the program in one test. */
jest.setTimeout(60_000);

const folderOf = (home: Home) => join(home.folder, '.buddyx', 'sessions');
const filesOf = (home: Home) => (existsSync(folderOf(home)) ? readdirSync(folderOf(home)).filter((name) => name.endsWith('.jsonl')) : []);

test('a conversation is left, says how to go on in it, and comes back with what was in it', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('run echo forty-$((40+2))');
    await eye.sees('approve on');
    await answer(eye, 'y');
    await eye.sees(/✓ #1/);
    await eye.line('/name the first one');
    await eye.leave();
    const left = await eye.sees(/Go on in this session: {2}buddy-tui resume \S+/);
    const session = /buddy-tui resume (\S+)/.exec(left)?.[1] ?? '';
    expect(filesOf(home)).toEqual([`${session}.jsonl`]);
    await eye.line('clear');
    await eye.start(`resume ${session}`);
    const shown = await eye.sees('it goes on here');
    expect(shown).toContain(`session ${session} · the first one`);
    expect(shown).toMatch(/● run echo forty/);
    expect(shown).toMatch(/▶ run_shell {2}echo forty/);
    expect(shown).toMatch(/┊ exit 0/);
    await eye.line('what time is it?');
    await eye.sees(/✓ #1/);
    await eye.leave();
    await eye.sees('READY>');
    await eye.start('resume', 'sessions');
    await eye.sees(/the first one +2 prompts/);
    await eye.press('Enter');
    await eye.sees(/● what time is it\?[\s\S]*it goes on here/);
    expect(filesOf(home)).toHaveLength(1);
  }));

test('killed while an answer comes: all that was acknowledged is there, nothing ran twice, and the next one says so', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('run echo once >>ran');
    await eye.sees('approve on');
    await answer(eye, 'y');
    await eye.sees(/✓ #1/);
    await eye.line('run sleep 1000');
    await eye.sees('approve on');
    await answer(eye, 'y');
    await eye.sees(/pane shared · running sleep/);
    process.kill(eye.pid(), 'SIGKILL');
    await eye.sees('READY>');
    await eye.line('clear');
    await eye.start('resume --last');
    const shown = await eye.sees('it goes on here');
    expect(shown).toMatch(/● run echo once >>ran/);
    expect(shown).toMatch(/● run sleep 1000[\s\S]*run_shell[\s\S]*interrupted: the program ended/);
    expect(shown).toContain('The program ended here, before this was answered to the end.');
    expect(readFileSync(join(home.folder, 'ran'), 'utf8')).toBe('once\n');
    await eye.line('what time is it?');
    await eye.sees(/✓ #1/);
  }));

test('killed while an answer streams: what had come of it is back, and marked', () =>
  withEye(async (eye, home) => {
    const held = new Promise<void>(() => undefined);
    const server = await startChatServer(async function* ({ prompt }) {
      yield { content: 'It is alm' };
      if (prompt === 'first') await held;
      yield { content: 'ost done.' };
    });
    try {
      const folder = join(home.folder, '.config', 'buddy');
      mkdirSync(folder, { recursive: true });
      const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "mock-1"', 'api_key = "key-for-tests-only"'];
      writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
      await eye.start();
      await eye.line('first');
      await eye.sees('◆ It is alm');
      process.kill(eye.pid(), 'SIGKILL');
      await eye.sees('READY>');
      await eye.line('clear');
      const shown = await eye.start('resume --last', 'it goes on here');
      expect(shown).toMatch(/● first[\s\S]*◆ It is alm[^o][\s\S]*The program ended here/);
      await eye.line('second');
      await eye.sees('It is almost done.');
      const said = server.seen
        .at(-1)
        ?.messages.filter(({ role }) => role !== 'system')
        .map(({ content }) => content);
      expect(said).toEqual(['first', 'It is alm', 'second']);
      expect(readFileSync(join(folderOf(home), filesOf(home)[0] ?? ''), 'utf8')).not.toContain('key-for-tests-only');
    } finally {
      await server.close();
    }
  }));

test('opened in two programs at once: the second goes on in a copy', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('what time is it?');
    await eye.sees(/✓ #1/);
    const [first = ''] = filesOf(home);
    const before = readFileSync(join(folderOf(home), first), 'utf8');
    await eye.tmux('split-window', '-t', 'e', '-c', home.folder, 'exec env PS1="READY> " bash --norc --noprofile');
    await eye.start(`resume ${first.replace('.jsonl', '')}`, 'This is a copy of it');
    await eye.line('what time is it now?');
    await eye.sees(/✓ #1/);
    await until('there are two files', () => filesOf(home).length === 2);
    expect(readFileSync(join(folderOf(home), first), 'utf8')).toBe(before);
  }));

test('in lines: what was said is said again, then the lines of the pipe go on', async () => {
  const home = freshHome();
  const plain = (args: readonly string[], input: string): Promise<string> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [programPath(), ...args], { env: home.env, cwd: home.folder }, (_error, stdout) =>
        resolve(stdout),
      );
      child.stdin?.end(input);
    });
  try {
    await plain(['exec', '--direct', '--session', 'new', 'what time is it?'], '');
    const said = await plain(['resume', '--last', '--plain', '--direct'], 'and what is the time now?\n');
    expect(said).toMatch(/You:\nwhat time is it\?\nAnswer:[\s\S]*It goes on here\.\n[\s\S]*Answer:[\s\S]*Go on in this session:/);
    expect(await plain(['resume', '--plain', '--direct'], '')).toMatch(
      /what time is it\?, now {2}2 prompts[\s\S]*Go on in one of them with/,
    );
    expect(filesOf(home)).toHaveLength(1);
  } finally {
    await home.dispose();
  }
});

test('a session that came with the folder is neither offered nor opened', () =>
  withEye(async (eye, home) => {
    mkdirSync(folderOf(home), { recursive: true });
    const header = {
      type: 'session',
      format: 1,
      session: 'evil',
      createdMs: 1,
      cwd: home.folder,
      target: 'x',
      parent: null,
      mac: 'f'.repeat(64),
    };
    writeFileSync(join(folderOf(home), 'evil.jsonl'), `${JSON.stringify(header)}\n`);
    await eye.start('resume --last', /there is no earlier session of yours in this folder/);
    await eye.sees('A newer session in this folder was not written by you here and is left alone.');
    await eye.start('resume evil', 'session evil is not opened: it was not written by you on this machine');
    await eye.start('resume none', 'there is no session "none" in this folder');
    expect(await eye.flag('alternate_on')).toBe('0');
  }));

test('a folder that cannot be written to: it is told, the conversation goes on, and is saved once it can be', () =>
  withEye(async (eye, home) => {
    writeFileSync(join(home.folder, '.buddyx'), '');
    await eye.start();
    await eye.line('what time is it?');
    await eye.sees(/This session is not saved: .*\.buddyx is no folder/);
    await eye.sees(/✓ #1/);
    await eye.line('!rm .buddyx');
    await eye.sees('The session is saved again.');
    expect(filesOf(home)).toHaveLength(1);
    const text = readFileSync(join(folderOf(home), filesOf(home)[0] ?? ''), 'utf8');
    expect(text).toContain('"type":"end"');
  }));

test('a session of another program is imported, said what of it was not, and goes on; a broken one is refused before anything starts', async () => {
  const home = freshHome();
  const run = (args: readonly string[], input: string): Promise<{ readonly code: number; readonly said: string }> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [programPath(), ...args], { env: home.env, cwd: home.folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
      );
      child.stdin?.end(input);
    });
  try {
    writeFileSync(join(home.folder, 'old.json'), JSON.stringify(buddySession));
    writeFileSync(join(home.folder, 'broken.jsonl'), `${asLines(piLines.slice(0, 3))}{"type":\n${asLines(piLines.slice(3))}`);
    const refused = await run(['resume', '--import', 'broken.jsonl'], '');
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('broken.jsonl, line 4: it is no JSON; nothing was imported') });
    expect(filesOf(home)).toEqual([]);
    const { code, said } = await run(['resume', '--import', 'old.json', '--plain', '--direct'], 'and what is the time now?\n');
    expect(code).toBe(0);
    expect(said).toMatch(
      /You:\nhow full is the disk\?[\s\S]*It is 80 % full\.[\s\S]*It goes on here\.[\s\S]*Not taken over from the imported session: 1 image/,
    );
    expect(said).toMatch(/It is \*{0,2}20[\s\S]*Go on in this session: {2}buddy-tui resume/);
    expect(filesOf(home)).toHaveLength(1);
    expect((await run(['resume', '--last', '--plain', '--direct'], '')).said).toMatch(/It is 80 % full[\s\S]*and what is the time now\?/);
  } finally {
    await home.dispose();
  }
});
