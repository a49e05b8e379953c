/** Extensions in the dashboard: the examples, a hook that hangs while a person types, and what /extensions and /reload say. */

import type { ChatPiece, Reply } from '../support/chat-server.js';
import { installExamples, installExtension } from './extensions.js';
import { type Running, withProgram } from './program.js';

const shell = (command: string) => ({ command, risk: 'low', mutation: false, privesc: false, why: 'to see' });
/** Types the command; an extension is loaded while the first keys are pressed already. */
async function offered(program: Running, command: string, says: string): Promise<void> {
  program.send(`/${command}`);
  await program.until(new RegExp(`/${command} .*${says}`));
}

const SIZE = { cols: 110, rows: 36 };

/** Runs the prompt as a command, then says what came of it. */
const running: Reply = ({ prompt, results }): ChatPiece[] =>
  results.length > 0
    ? [{ content: `it said ${results[0]?.content ?? ''}` }]
    : [{ calls: [{ name: 'run_shell', arguments: shell(prompt) }] }];

test('the guard blocks a push, the command keeps a list on the screen, and its key shows it', async () => {
  await withProgram(
    running,
    SIZE,
    async (program) => {
      program.line('git push');
      await program.done('guard-git-push: pushing is left to the person');
      program.line('/todo buy milk');
      await program.until(/─ todo ─+\n +1\. \[ \] buy milk/);
      program.line('/todo done 1');
      await program.until(/1\. \[x\] buy milk/);
      program.line('/extensions');
      await program.until(/guard-git-push \(.*\)[^\n]*\n[^\n]*hooks: before_tool_call/);
      program.line('/todo clear');
      await program.shows('the list is gone', () => !/─ todo ─/.test(program.terminal.text()) || null);
      program.send('\x1b[20~');
      await program.until(/Nothing is to be done/);
      await program.quit();
    },
    { prepare: installExamples },
  );
}, 60_000);

test('a hook that hangs is disabled in its time, and what is typed meanwhile is there at once', async () => {
  await withProgram(
    () => [{ content: 'answered' }],
    SIZE,
    async (program) => {
      program.line('hello');
      program.send('typed while it hangs');
      await program.until(/> typed while it hangs/);
      expect(program.terminal.text()).not.toContain('is disabled');
      await program.until(/Extension hangs .* is disabled: its before_prompt hook[\s\S]*did not answer within 5 s/);
      await program.until(/answered/);
      for (let i = 0; i < 20; i++) program.send('\x7f');
      program.line('/extensions');
      await program.until(/hangs \(.*\), disabled: its/);
      await program.quit();
    },
    {
      prepare: (home) =>
        installExtension(
          home,
          'hangs.ts',
          "export default { name: 'hangs', hooks: { before_prompt: () => new Promise(() => undefined) } };",
        ),
    },
  );
}, 60_000);

test('an endless loop in a command leaves the screen alive, and ends that extension only', async () => {
  await withProgram(
    () => [{ content: 'answered' }],
    SIZE,
    async (program) => {
      await offered(program, 'spin', 'Spins.');
      program.send('\r');
      program.send('still here');
      await program.until(/> still here/);
      await program.until(/Extension spins .* is disabled: it gave no sign of life/);
      for (let i = 0; i < 10; i++) program.send('\x7f');
      program.line('/todo go on');
      await program.until(/1\. \[ \] go on/);
      await program.quit();
    },
    {
      prepare: (home) => {
        installExamples(home);
        installExtension(
          home,
          'spins.ts',
          "export default { name: 'spins', commands: [{ name: 'spin', says: 'Spins.', run() { for (;;) {} } }] };",
        );
      },
    },
  );
}, 60_000);

test('/reload brings in what has changed on the disk', async () => {
  const version = (of: number) =>
    `export default { name: 'mine', commands: [{ name: 'mine', says: 'Tells.', run: () => 'this is version ${of}' }] };`;
  await withProgram(
    () => [{ content: 'answered' }],
    SIZE,
    async (program) => {
      await offered(program, 'mine', 'Tells.');
      program.send('\r');
      await program.until(/this is version 1/);
      installExtension(program.home, 'mine.ts', version(2));
      program.line('/reload');
      await program.until(/Loaded anew: 1 extension/);
      program.line('/mine');
      await program.until(/this is version 2/);
      await program.quit();
    },
    { prepare: (home) => installExtension(home, 'mine.ts', version(1)) },
  );
}, 60_000);
