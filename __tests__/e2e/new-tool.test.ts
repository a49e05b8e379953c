/** A tool that is built in needs one new file and one line in the table of tools: shown in a copy of the source, counted, built and used. */

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type ChatPiece, startChatServer } from '../support/chat-server.js';
import { freshHome } from './eye.js';

const TOOL = `/** word_count: how many words a text has. */

import { asObject, text } from './arguments.js';
import type { Tool } from './tool.js';

export const wordCount: Tool<string> = {
  name: 'word_count',
  aliases: [],
  description: 'Counts the words of a text.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  needsTmux: false,
  parallel: true,
  parse: (args) => text(asObject(args), 'text', true),
  preview: (args) => args,
  review: () => ({ kind: 'allow' }),
  run: async (args) => {
    const words = args.split(/\\s+/).filter((word) => word !== '').length;
    return { result: { words }, isError: false, text: String(words), summary: \`\${words} words\`, exitCode: null };
  },
};
`;

/** Every file below it with what it says. */
function contents(folder: string, at = folder): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(at)) {
    const path = join(at, name);
    if (statSync(path).isDirectory()) for (const [key, value] of contents(folder, path)) found.set(key, value);
    else found.set(relative(folder, path), readFileSync(path, 'utf8'));
  }
  return found;
}

const lines = (text: string | undefined) => new Set((text ?? '').split('\n'));

test('one new file, and one line in the table', async () => {
  const root = process.cwd();
  const copy = mkdtempSync(join(tmpdir(), 'tree-'));
  const home = freshHome();
  const server = await startChatServer(({ results }): ChatPiece[] =>
    results.length > 0 ? [{ content: 'done' }] : [{ calls: [{ name: 'word_count', arguments: { text: 'one two  three' } }] }],
  );
  try {
    for (const name of ['lib', 'scripts', 'bin', 'templates', 'themes', 'package.json', 'tsconfig.json', 'tsconfig.types.json'])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

    writeFileSync(join(copy, 'lib', 'tools', 'word-count.ts'), TOOL);
    const table = join(copy, 'lib', 'tools', 'index.ts');
    const before = readFileSync(table, 'utf8');
    writeFileSync(table, `${before}export { wordCount } from './word-count.js';\n`);

    const [old, now] = [contents(join(root, 'lib')), contents(join(copy, 'lib'))];
    expect([...now.keys()].filter((name) => !old.has(name))).toEqual(['tools/word-count.ts']);
    expect([...now].filter(([name, text]) => old.has(name) && old.get(name) !== text).map(([name]) => name)).toEqual(['tools/index.ts']);
    const added = [...lines(now.get('tools/index.ts'))].filter((line) => !lines(before).has(line));
    expect(added).toEqual(["export { wordCount } from './word-count.js';"]);

    execFileSync(process.execPath, [join(copy, 'scripts', 'build.mjs')], { cwd: copy });
    const exec = (...args: readonly string[]) =>
      new Promise<string>((resolve) => {
        const env = { ...home.env, BUDDY_BASE_URL: server.baseUrl, BUDDY_MODEL: 'mock-1', BUDDY_API_KEY: 'key-for-tests-only' };
        const run = execFile(
          process.execPath,
          [join(copy, 'bin', 'buddy-tui.js'), 'exec', '--direct', ...args],
          { env, cwd: home.folder },
          (_error, _stdout, stderr) => resolve(stderr),
        );
        run.stdin?.end('');
      });
    // The model is shown it, calls it without a question, people see its card, and the command line knows its name.
    expect(await exec('count')).toContain('▶ word_count  one two  three\n  3 words');
    expect(server.seen[0]?.tools).toContain('word_count');
    expect(server.seen[1]?.results[0]?.content).toContain('"words":3');
    expect(await exec('--tools', 'word_cout', 'count')).toContain('there is no tool "word_cout"; did you mean "word_count"?');
  } finally {
    rmSync(copy, { recursive: true, force: true });
    await server.close();
    await home.dispose();
  }
}, 120_000);
