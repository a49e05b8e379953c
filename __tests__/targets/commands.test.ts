/** Commands through a real tmux pane, in bash and in a POSIX shell: exact exit codes, exact output. */

import { spawnSync } from 'node:child_process';
import { TargetTests } from './local-target.js';

const shells = ['bash', 'dash'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);
const LINES = Array.from({ length: 300 }, (_, at) => `echo line${at}`);

/** Command, exit code, output (or a pattern in it) that a person would expect. */
const nasty: readonly (readonly [name: string, command: string, exitCode: number, output: string | RegExp])[] = [
  ['a tab', "printf 'a\tb\\n'", 0, 'a\tb\n'],
  ['tabs as indentation', 'if true; then\n\techo tab\nfi', 0, 'tab\n'],
  ['several lines', 'echo one\necho two\nfalse', 1, 'one\ntwo\n'],
  ['a here-document', "cat <<'EOF'\nhi $HOME\nEOF", 0, 'hi $HOME\n'],
  ['a here-document that expands', 'x=5; cat <<EOF\nv=$x\nEOF', 0, 'v=5\n'],
  ['history expansion', 'echo \'!x\' "!!"', 0, '!x !!\n'],
  ['3000 characters', `echo ${'a'.repeat(3000)}`, 0, `${'a'.repeat(3000)}\n`],
  ['6000 characters', `echo ${'b'.repeat(6000)} | wc -c`, 0, '6001\n'],
  ['100 kB', `echo ${'c'.repeat(100_000)} | wc -c`, 0, '100001\n'],
  ['300 lines', LINES.join('\n'), 0, `${LINES.map((line) => line.slice(5)).join('\n')}\n`],
  ['UTF-8', 'echo żółć 日本語 👩‍👩‍👧 é', 0, 'żółć 日本語 👩‍👩‍👧 é\n'],
  ['no line end', 'printf abc', 0, 'abc'],
  ['progress', "printf '10%%\\r50%%\\r100%%\\n'", 0, '100%\n'],
  ['backspaces', "printf 'ax\\bb\\n'", 0, 'ab\n'],
  ['colours', "printf '\\033[31mred\\033[0m plain\\n'", 0, 'red plain\n'],
  ['concealed text', "printf '\\033[8mhidden\\033[0m\\n'", 0, 'hidden\n'],
  ['a title and a link', "printf '\\033]0;title\\007\\033]8;;http://x\\007link\\033]8;;\\007\\n'", 0, 'link\n'],
  ['cursor movement', "printf 'one\\ntwo\\n\\033[2A\\033[2KONE\\n\\n'", 0, 'ONE\ntwo\n'],
  ['clear', "echo before; printf '\\033[H\\033[2J\\033[3J'; echo after", 0, 'before\nafter\n'],
  ['the clear program', 'echo before; clear; echo after', 0, 'before\nafter\n'],
  ['the alternate screen', "echo a; printf '\\033[?1049hX\\033[?1049l'; echo b", 0, 'a\nb\n'],
  ['a syntax error', 'if then fi', 2, /yntax error/],
  ['an unknown command', 'no_such_command_xyz', 127, /not found/],
  ['an open single quote', "echo 'open", 2, /unexpected|nterminated|expecting|EOF/i],
  ['an open double quote', 'echo "open', 2, /unexpected|nterminated|expecting|EOF/i],
  ['an open brace group', '{ echo a', 2, /unexpected|nterminated|expecting|EOF/i],
  ['an open here-document', 'cat <<EOF\nhanging', 0, /hanging/],
  ['a comment at the end', 'echo hi # note', 0, 'hi\n'],
  ['only a comment', '# nothing', 0, ''],
  ['a backslash at the end', 'echo a \\', 0, /^a/],
  ['tmux formats', "echo '#{pane_id} #S #(date)'", 0, '#{pane_id} #S #(date)\n'],
  ['a tilde', 'cd ~ && [ "$PWD" = "$HOME" ] && echo same', 0, 'same\n'],
  ['quotes of every kind', `echo "it's" '"q"' \\$HOME '$(date)' ";" \\;`, 0, `it's "q" $HOME $(date) ; ;\n`],
  ['a semicolon at the end', 'echo x;', 0, 'x\n'],
  ['an ampersand', 'true & wait; echo done', 0, /done\n/],
  ['a pipeline that fails', 'true | (exit 9)', 9, ''],
  ['break outside a loop', 'break; echo still', 0, /still\n$/],
  ['nothing but blanks', '   ', 0, ''],
  ['variables that stay', 'KEPT=1', 0, ''],
  ['variables that stayed', 'echo $KEPT', 0, '1\n'],
  ['a function', 'f() { return 7; }; f', 7, ''],
  ['a trap', "trap 'echo t' USR1; kill -USR1 $$; echo u", 0, /t\nu\n|u\nt\n/],
  ['binary', 'head -c 3000 /bin/ls', 0, /^\[binary output, \d+ bytes, not shown\]$/],
  ['bells', "printf 'a\\007b\\n'", 0, 'ab\n'],
  ['our own mark with a wrong nonce', "printf '\\033]133;D;77;buddy=0;id=0\\007'; echo real", 0, 'real\n'],
  ['an empty D mark', "printf '\\033]133;D\\007\\033]133;C\\007'; echo real; (exit 5)", 5, 'real\n'],
  ['set -u', 'set -u; echo u', 0, 'u\n'],
  ['set +u', 'set +u; echo v', 0, 'v\n'],
  ['set -x', 'set -x', 0, ''],
  ['a trace', 'echo x', 0, /^\++ echo x\nx\n$/],
  ['set +x', 'set +x; echo y', 0, /^\++ set \+x\ny\n$/],
  ['noclobber', 'set -C; echo c', 0, 'c\n'],
  ['after noclobber', 'set +C; (exit 4)', 4, ''],
];

describe.each(shells)('in %s', (shell) => {
  const tests = new TargetTests();
  afterAll(() => tests.closeAll());

  test('gives exit code and output of nasty commands as a person would see them', async () => {
    const { run } = await tests.start({ shell });
    const wrong: unknown[] = [];
    for (const [name, command, exitCode, output] of nasty) {
      const outcome = await run(command);
      const text = outcome.kind === 'exited' ? outcome.output.text : '';
      const rightCode = outcome.kind === 'exited' && outcome.exitCode === exitCode;
      const rightText = typeof output === 'string' ? text === output : output.test(text);
      if (!rightCode || !rightText) wrong.push({ name, outcome: { ...outcome, raw: outcome.raw.slice(0, 400) } });
    }
    expect(wrong).toEqual([]);
  });

  test('tells every exit code from 0 to 255', async () => {
    const { run } = await tests.start({ shell });
    const codes: (number | string)[] = [];
    for (let code = 0; code < 256; code++) {
      const outcome = await run(`(exit ${code})`);
      codes.push(outcome.kind === 'exited' ? outcome.exitCode : outcome.kind);
    }
    expect(codes).toEqual(Array.from({ length: 256 }, (_, code) => code));
  });

  test('keeps $? of the command before', async () => {
    const { run } = await tests.start({ shell });
    await run('(exit 42)');
    expect(await run('echo $?')).toMatchObject({ raw: '42\r\n' });
    expect(await run('echo $?')).toMatchObject({ raw: '0\r\n' });
  });

  test('gives 200 000 lines complete to the byte, and both ends of them to the model', async () => {
    const { run } = await tests.start({ shell });
    const outcome = await run('seq 1 200000');
    const expected = Array.from({ length: 200_000 }, (_, at) => `${at + 1}\n`).join('');
    expect(outcome.raw.replaceAll('\r\n', '\n') === expected).toBe(true);
    if (outcome.kind !== 'exited') throw new Error(outcome.kind);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.output).toMatchObject({ totalBytes: expected.length, totalLines: 200_000, truncated: true });
    expect(outcome.output.text.startsWith('1\n2\n3\n')).toBe(true);
    expect(outcome.output.text.endsWith('199999\n200000\n')).toBe(true);
    expect(outcome.output.text).toContain(`the whole output is ${expected.length} bytes in 200000 lines`);
  });
});
