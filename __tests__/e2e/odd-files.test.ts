/** Pipes and devices where files should be, in the built program: it goes on, and it can be left. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatPiece, ChatRequest } from '../support/chat-server.js';
import { withProgram } from './program.js';

test('ten reads of a pipe and of devices by the model end in sentences, those of a folder in its list; the keyboard answers, and quitting works', () => {
  const paths = ['pipe', '/dev/zero', '/dev/tty', '.'];
  const calls = paths.flatMap((path) =>
    Array.from({ length: 10 }, (_, offset) => ({ name: 'read_file', arguments: { path, offset, why: 'To look.' } })),
  );
  function* reply({ results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: 'None of them.' };
    else yield { calls: calls.map((call, at) => ({ ...call, id: `c${at}` })) };
  }
  return withProgram(reply, { cols: 120, rows: 40 }, async (program) => {
    execFileSync('mkfifo', [join(program.home.folder, 'pipe')]);
    await program.approveAll();
    program.line('go');
    await program.done('None of them.');
    const results = program.server.seen.at(-1)?.results.map(({ content }) => content ?? '') ?? [];
    expect(results.filter((result) => /it is no regular file|asked about|is not read/.test(result))).toHaveLength(30);
    expect(results.filter((result) => /"entries":"[^"]*pipe/.test(result))).toHaveLength(10);
    await program.quit();
  });
}, 60_000);

test(
  'a working folder full of traps: names of files are offered all the same',
  () =>
    withProgram(
      () => [{ content: 'Yes.' }],
      { cols: 120, rows: 40 },
      async (program) => {
        const at = (name: string) => join(program.home.folder, name);
        for (const name of ['.gitignore', 'AGENTS.md', 'buddy.toml', 'pipe-to-see']) execFileSync('mkfifo', [at(name)]);
        mkdirSync(at('deep'));
        execFileSync('mkfifo', [at('deep/.gitignore')]);
        symlinkSync('/dev/zero', at('zeros'));
        symlinkSync(program.home.folder, at('deep/circle'));
        program.send('see @pipe');
        await program.until(/pipe-to-see/);
        program.send('\x15');
        await program.until(/> Ask, or/);
        program.line('hello');
        await program.done('Yes.');
        await program.quit();
      },
    ),
  60_000,
);
