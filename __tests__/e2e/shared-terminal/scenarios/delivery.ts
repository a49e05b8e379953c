/** Command texts of every kind arrive exactly as they are. */

import { type ByShell, gives, type Scenario } from '../cell.js';

const noHeredoc: ByShell<string> = { fish: 'it has no here-documents' };
const noSubshell: ByShell<string> = { fish: 'it has no subshells' };
const LINES = Array.from({ length: 300 }, (_, at) => `echo line${at}`);
const unfinished: ByShell<RegExp> = {
  bash: /^bash: (?:.*unexpected EOF while looking for matching|syntax error: unexpected end of file)/,
  zsh: /^zsh: (?:unmatched|parse error)/,
  fish: /^fish: (?:Unexpected end of string, quotes are not balanced|Missing end)/,
  dash: /^dash: 1: eval: Syntax error: (?:Unterminated quoted string|end of file unexpected|.*EOF)/,
  ash: /^(?:ash|sh|busybox): (?:eval: )?(?:line \d+: )?syntax error: (?:unterminated quoted string|unexpected end of file)/i,
};
const unfinishedCode: ByShell<number> = { zsh: 1, fish: 123, other: 2 };

export const delivery: readonly Scenario[] = [
  gives('a tab', "printf 'a\tb\\n'", 0, 'a\tb\n'),
  gives('tabs as indentation', { fish: 'if true\n\techo tab\nend', other: 'if true; then\n\techo tab\nfi' }, 0, 'tab\n'),
  gives('several lines', 'echo one\necho two\nfalse', 1, 'one\ntwo\n'),
  gives('300 lines', LINES.join('\n'), 0, `${LINES.map((line) => line.slice(5)).join('\n')}\n`),
  gives('a here-document, its end last', "cat <<'EOF'\nhi $HOME\nEOF", 0, 'hi $HOME\n', noHeredoc),
  gives('a here-document that expands', 'x=5; cat <<EOF\nv=$x\nEOF', 0, 'v=5\n', noHeredoc),
  gives('a here-document with tabs', 'cat <<-EOF\n\tindented\n\tEOF', 0, 'indented\n', noHeredoc),
  gives('a comment at the end', 'echo hi # note', 0, 'hi\n'),
  gives('a failure before a comment', 'false # note', 1, ''),
  gives('only a comment', { fish: 'true\n# nothing', other: '# nothing' }, 0, ''),
  gives('nothing but blanks', { fish: 'true;   ', other: '   ' }, 0, ''),
  gives('an open single quote', "echo 'open", unfinishedCode, unfinished),
  gives('an open double quote', 'echo "open', unfinishedCode, unfinished),
  gives('an open block', { fish: 'begin; echo a', other: 'if true; then echo a' }, unfinishedCode, unfinished),
  gives('history expansion', "echo '!x' '!!' a!b", 0, '!x !! a!b\n'),
  gives('a double-quoted exclamation mark', 'echo "wow!!" "!x"', 0, 'wow!! !x\n'),
  gives(
    'a pattern that matches nothing',
    'echo *.nope',
    { zsh: 1, fish: 124, other: 0 },
    {
      zsh: 'zsh: no matches found: *.nope\n',
      fish: /^fish: No matches for wildcard '\*\.nope'/,
      other: '*.nope\n',
    },
  ),
  gives('1 kB in one line', `echo ${'a'.repeat(1000)}`, 0, `${'a'.repeat(1000)}\n`),
  gives('5 kB in one line', `echo ${'e'.repeat(5000)}`, 0, `${'e'.repeat(5000)}\n`),
  gives('20 kB in one line', `echo ${'b'.repeat(20_000)}`, 0, `${'b'.repeat(20_000)}\n`),
  gives('100 kB in one line', `echo ${'c'.repeat(100_000)} | wc -c`, 0, /^ *100001\n$/),
  gives('300 kB in one line', `echo ${'d'.repeat(300_000)} | wc -c`, 0, /^ *300001\n$/),
  gives('UTF-8', 'echo żółć 日本語 👩‍👩‍👧 é', 0, 'żółć 日本語 👩‍👩‍👧 é\n'),
  gives('quotes of every kind', `echo "it's" '"q"' \\$HOME '$(date)' ";" \\;`, 0, `it's "q" $HOME $(date) ; ;\n`),
  gives('control characters', `printf '%s\n' 'a\x01\x1b[201~\x7fb' | wc -c`, 0, /^ *11\n$/),
  gives('tmux formats', "echo '#{pane_id} #S #(date) %0'", 0, '#{pane_id} #S #(date) %0\n'),
  gives(
    'a tilde',
    { fish: 'cd ~; and test "$PWD" = "$HOME"; and echo same', other: 'cd ~ && [ "$PWD" = "$HOME" ] && echo same' },
    0,
    'same\n',
  ),
  gives('a semicolon at the end', 'echo x;', 0, 'x\n'),
  gives('a backslash at the end', 'echo a \\', { fish: 123, other: 0 }, { fish: /incomplete escape sequence/, other: /^a/ }),
  gives('a line continued', 'echo a \\\n  b', 0, 'a b\n'),
  gives(
    'a syntax error',
    { fish: 'end end', other: 'fi' },
    { zsh: 1, fish: 123, other: 2 },
    /yntax error|parse error|'end' outside of a block/,
  ),
  gives('an unknown command', 'no_such_command_xyz', 127, /not found|Unknown command/),
  gives('a pipeline that fails', 'true | sh -c "exit 9"', 9, ''),
  gives('a subshell that fails', '(set -e; false; echo no)', 1, '', noSubshell),
  {
    name: 'a NUL is refused',
    async play({ opened }) {
      await expect(opened.run('echo a\0b')).rejects.toMatchObject({ code: 'target.command' });
    },
  },
];
