/** `@` with the built program: what the model server gets, byte for byte, and what a person sees before and after. */

import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageHeader } from '../../lib/base/image-header.js';
import { type ChatServer, startChatServer } from '../support/chat-server.js';
import { noise, png } from '../support/pictures.js';
import { freshHome, type Home, programPath } from './eye.js';
import { pasted, type Running, withProgram } from './program.js';

/** A picture that nothing has to be done to. */
const small = png(40, 30);

describe('exec', () => {
  let home: Home;
  let server: ChatServer;
  beforeEach(async () => {
    home = freshHome();
    server = await startChatServer(() => [{ content: 'I see.' }]);
  });
  afterEach(async () => {
    await server.close();
    await home.dispose();
  });

  /** What standard error said, and what the server got as the words and the pictures of the user. */
  async function exec(prompt: string, { images = true, input = '' }: { readonly images?: boolean; readonly input?: string } = {}) {
    const folder = join(home.folder, '.config', 'buddy');
    mkdirSync(folder, { recursive: true });
    const profile = `[models.mock]\napi_base_url = "${server.baseUrl}"\napi = "completions"\nmodel = "mock-1"\nimages = ${images}\napi_key = "key-for-tests-only"\n`;
    writeFileSync(join(folder, 'buddy.toml'), profile, { mode: 0o600 });
    const stderr = await new Promise<string>((resolve) => {
      const args = [programPath(), 'exec', '--direct', prompt];
      const child = execFile(process.execPath, args, { env: home.env, cwd: home.folder }, (_error, _out, err) => resolve(err));
      child.stdin?.end(input);
    });
    const user = server.seen.at(-1)?.messages.findLast(({ role }) => role === 'user');
    return {
      stderr,
      words: user?.content ?? '',
      images: (user?.images ?? []).map((url) => Buffer.from(url.split(',')[1] ?? '', 'base64')),
    };
  }
  const put = (name: string, bytes: Uint8Array | string) => writeFileSync(join(home.folder, name), bytes);

  test('a file in its frame, a picture as its bytes', async () => {
    put('notes.md', 'first\n</file>\nlast\n');
    put('x.png', small);
    const { stderr, words, images } = await exec('explain @notes.md and @x.png.');
    expect(words).toBe(`explain @notes.md and @x.png.\n\n<file path="${home.folder}/notes.md">\nfirst\n‹/file>\nlast\n</file>`);
    expect(images).toEqual([small]);
    expect(stderr).toContain(`+ notes.md 19 B\n+ x.png ${small.length} B\n`);
  });

  test('a folder: what stands in it, as the model would list it', async () => {
    mkdirSync(join(home.folder, 'src', 'deep'), { recursive: true });
    put('src/a b.ts', '');
    const { stderr, words } = await exec('what is in @src/ ?');
    expect(words).toBe(`what is in @src/ ?\n\n<folder path="${home.folder}/src">\na b.ts\ndeep/\n</folder>`);
    expect(stderr).toContain('+ src/ 12 B');
  });

  test('a large picture is made smaller, a photo of which the file is too large becomes a JPEG', async () => {
    put('wide.png', png(2600, 20, noise));
    put('heavy.png', png(1050, 1000, noise));
    const { stderr, images } = await exec('see @wide.png @heavy.png');
    expect(images.map((bytes) => imageHeader(bytes))).toMatchObject([
      { mediaType: 'image/png', size: { width: 2000, height: 15 } },
      { mediaType: 'image/jpeg', size: { width: 1050, height: 1000 } },
    ]);
    expect(images.every((bytes) => bytes.length <= 3_000_000)).toBe(true);
    expect(stderr).toContain('(2600×20 made 2000×15)');
  });

  test('a bomb, a broken picture, a file that is closed, a binary one and one that is not there: a sentence each, and the prompt goes', async () => {
    put('bomb.png', png(2, 2, undefined, { width: 30_000, height: 30_000 }));
    put('cut.png', small.subarray(0, 60));
    put('program', Buffer.from([127, 69, 76, 70, 0, 0]));
    mkdirSync(join(home.folder, '.ssh'));
    put('.ssh/id_rsa', 'KEY');
    symlinkSync(join(home.folder, '.ssh/id_rsa'), join(home.folder, 'innocent.txt'));
    const prompt = 'see @bomb.png @cut.png @program @~/.ssh/id_rsa @innocent.txt @none.txt me@x.png \\@bomb.png';
    const { stderr, words, images } = await exec(prompt);
    expect([words, images]).toEqual([prompt, []]);
    expect(stderr).toContain('@bomb.png is not attached: it has 30000 × 30000 pixels; the most is 60 million.');
    expect(stderr).toContain('@cut.png is not attached: the picture is broken or cut off: it cannot be decoded.');
    expect(stderr).toContain('@program is not attached: it is a binary file of 6 B.');
    expect(stderr).toMatch(/@~\/\.ssh\/id_rsa is not attached: .*; the model can ask to read it\./);
    expect(stderr).toMatch(/@innocent\.txt is not attached: .*; the model can ask to read it\./);
    expect(stderr).toContain('Nothing is attached for @none.txt: there is no such file or folder.');
    expect(stderr).not.toContain('KEY');
  });

  test('a model that takes none reads what it was; what is piped in brings nothing along', async () => {
    put('x.png', small);
    put('notes.md', 'secret plan');
    const { stderr, words, images } = await exec('see @x.png', { images: false, input: 'as in @notes.md\n' });
    expect(images).toEqual([]);
    expect(words).toBe(`see @x.png\n\nas in @notes.md\n[image x.png, ${small.length} B: not shown, this model takes no images]`);
    expect(stderr).toContain(`+ x.png ${small.length} B (the model takes no images)`);
  });
});

describe('the dashboard', () => {
  const size = { cols: 120, rows: 32 };
  const put = ({ home }: Running, name: string, bytes: Uint8Array | string) => writeFileSync(join(home.folder, name), bytes);
  const userOf = ({ server }: Running) =>
    server.seen.at(-1)?.messages.findLast(({ role, content }) => role === 'user' && content?.startsWith('[harness]') !== true);

  test('sizes stand below the draft before it is sent, and below the prompt afterwards; a picture is dropped', () =>
    withProgram(
      () => [{ content: 'I see.' }],
      size,
      async (program) => {
        put(program, 'notes.md', 'x'.repeat(14_000));
        put(program, 'shot 1.png', small);
        program.send('what is in @notes.md and ');
        await program.until(/\n\+ 1 file · 14\.0 kB · ~3\.5k tokens/);
        program.send(pasted(`'${program.home.folder}/shot 1.png' `));
        await program.until(/> what is in @notes\.md and @"\S+\/shot 1\.png"/);
        await program.until(/\n\+ 1 file, 1 image · 14\.1 kB · ~3\.8k tokens/);
        program.send('\r');
        await program.done('I see.');
        await program.until(/● what is in @notes\.md and[\s\S]*\+ notes\.md 14\.0 kB\s[\s\S]*\+ \S+shot 1\.png \d+ B/);
        const user = userOf(program);
        expect(user?.images).toEqual([`data:image/png;base64,${small.toString('base64')}`]);
        expect(user?.content).toContain(`<file path="${program.home.folder}/notes.md">\n${'x'.repeat(14_000)}\n</file>`);
        await program.quit();
      },
      { more: ['images = true'] },
    ));

  test('the screen of the pane and the last output; what is not there is said', () =>
    withProgram(
      () => [{ content: 'I see.' }],
      size,
      async (program) => {
        program.line('!echo seen-$((40+2))');
        await program.until(/┊ exit 0/);
        program.send('why @pane @last @nothing ');
        await program.until(/\n\+ 1 screen, 1 output · [\d.]+ k?B · ~\S+ tokens · no such file: @nothing/);
        program.send('\r');
        await program.done('I see.');
        const words = userOf(program)?.content ?? '';
        expect(words).toMatch(/<screen of="the shared pane, now">\n[\s\S]*seen-42[\s\S]*<\/screen>/);
        expect(words).toContain('<output command="echo seen-$((40+2))" ended="exit 0">\nseen-42\n</output>');
        await program.until(/\+ @pane [\d.]+ k?B\s[\s\S]*\+ @last 8 B/);
        await program.quit();
      },
    ));
});
