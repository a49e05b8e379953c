/** Prompts and start-up files that people really have: nothing of theirs changes, codes stay exact. */

import type { ByShell, Cell, Scenario } from '../cell.js';
import type { ShellName } from '../ground.js';

/** A start-up file of one shell, and a command that shows that it is in force. */
function starts(
  shell: ShellName,
  name: string,
  file: string,
  text: string,
  probe: string,
  shown: string | RegExp,
  screen?: RegExp,
): Scenario {
  const not: ByShell<string> = Object.fromEntries(
    (['bash', 'zsh', 'fish', 'dash', 'ash'] as const).filter((other) => other !== shell).map((other) => [other, `it is about ${shell}`]),
  );
  return {
    name: `${shell}: ${name}`,
    not,
    files: { [shell]: { [file]: `${text}\n` } },
    async play(cell: Cell) {
      for (const code of [0, 3, 130]) await cell.gives(`sh -c "exit ${code}"`, code, '');
      await cell.gives('printf abc', 0, 'abc');
      await cell.gives(probe, 0, shown);
      if (screen !== undefined) await cell.untilScreen(screen);
    },
  };
}

const bash = (name: string, rc: string, probe: string, shown: string | RegExp, screen?: RegExp) =>
  starts('bash', name, '.bashrc', rc, probe, shown, screen);
const zsh = (name: string, rc: string, probe: string, shown: string | RegExp, screen?: RegExp) =>
  starts('zsh', name, '.zshrc', rc, probe, shown, screen);
const fish = (name: string, rc: string, probe: string, shown: string | RegExp, screen?: RegExp) =>
  starts('fish', name, '.config/fish/config.fish', rc, probe, shown, screen);

export const prompts: readonly Scenario[] = [
  bash('PROMPT_COMMAND as a string', 'PROMPT_COMMAND="N=\\$((N+1))"', 'echo $N', /^[1-9]\n$/),
  bash('PROMPT_COMMAND as an array', 'PROMPT_COMMAND=("A=1" "B=2;")', 'echo $A$B', '12\n'),
  bash(
    'a prompt made anew from $?',
    'p() { local s=$?; PS1="\\n[$s] dir\\n❯ "; }; PROMPT_COMMAND=p',
    'sh -c "exit 0"',
    '',
    /\[0\] dir\n❯$/,
  ),
  bash('a prompt with literal line ends', "PS1=$'\\n$(echo sub) x\\n> '", 'echo ok', 'ok\n', /sub x\n>$/),
  bash('a prompt with our marks in it', "PS1='\\[\\e]133;D;99\\a\\]a\\nb❯ '", 'echo ok', 'ok\n', /a\nb❯$/),
  bash('a DEBUG trap', "trap 'D=1' DEBUG", 'echo $D', '1\n'),
  bash('an ERR trap', "trap 'E=1' ERR", 'echo $E', '1\n'),
  bash('set -u', 'set -u', 'echo $-', /u/),
  bash('histverify', 'shopt -s histverify', 'shopt histverify', /on\n$/),
  bash('vi mode', 'set -o vi', 'shopt -o vi', /on\n$/),
  bash('no expansion in prompts', "shopt -u promptvars; PS1='plain> '", 'echo ok', 'ok\n', /plain>$/),
  bash('a slow start', 'sleep 0.3', 'echo ok', 'ok\n'),
  bash('an early return', 'X=1; return; X=2', 'echo $X', '1\n'),
  bash('PROMPT_COMMAND taken away each time', 'PROMPT_COMMAND="unset PROMPT_COMMAND"', 'echo ok', 'ok\n'),
  bash('no echo', 'stty -echo', 'echo ok', 'ok\n'),
  zsh('nothing set', ':', 'echo $ZDOTDIR-$+ZDOTDIR', '-0\n'),
  zsh('a prompt of two lines', "PROMPT=$'%n dir\\n%? > '", 'echo ok', 'ok\n', /dir\n0 >$/),
  zsh('a prompt at the right', "PROMPT='> '; RPROMPT='[right %?]'", 'echo ok', 'ok\n', /> +\[right 0\]$/),
  zsh(
    'a transient prompt',
    'precmd() { PROMPT="full %?> " }; zle-line-finish() { PROMPT="short> "; zle reset-prompt }; zle -N zle-line-finish',
    'echo ok',
    'ok\n',
    /full 0>$/,
  ),
  zsh(
    'a prompt made by a hook that comes later',
    'f() { precmd_functions+=(g) }; g() { PROMPT="late> " }; precmd_functions=(f)',
    'echo ok',
    'ok\n',
    /late>$/,
  ),
  zsh('substitution in the prompt', "setopt prompt_subst; PROMPT='$(echo sub) > '", 'echo ok', 'ok\n', /sub >$/),
  zsh('vi mode', 'bindkey -v', 'echo ok', 'ok\n'),
  zsh('options of another shell', 'setopt ksh_arrays sh_word_split no_unset', '[[ -o ksh_arrays ]] && echo ok', 'ok\n'),
  zsh(
    'no bang, its own end mark',
    "setopt no_bang_hist; PROMPT_EOL_MARK='<end>'",
    'echo $PROMPT_EOL_MARK; [[ -o bang_hist ]] || echo off',
    /off\n$/,
  ),
  zsh('a history setting', 'HISTFILE=~/h SAVEHIST=9 HISTSIZE=9', '[[ -o hist_ignore_space ]]; echo $? $HISTFILE', /^1 .*\/h\n$/),
  starts(
    'zsh',
    'files in another folder',
    '.zshenv',
    'export ZDOTDIR=$HOME/dot; mkdir -p $ZDOTDIR; echo "X=1" >$ZDOTDIR/.zshrc',
    `echo $X \${ZDOTDIR:t}`,
    '1 dot\n',
  ),
  fish('a prompt of two lines', 'function fish_prompt; echo; echo "[$status] dir"; echo \'> \'; end', 'echo ok', 'ok\n', /\[0\] dir\n>$/),
  fish(
    'a prompt at the right',
    "function fish_prompt; echo 'a> '; end; function fish_right_prompt; echo right; end",
    'echo ok',
    'ok\n',
    /a> +right$/,
  ),
  fish('vi mode', 'fish_vi_key_bindings', 'echo ok', 'ok\n'),
  fish(
    'a prompt that is defined anew',
    'function fish_prompt; function fish_prompt; echo "new> "; end; echo "old> "; end',
    'echo ok',
    'ok\n',
    /new>$/,
  ),
  fish(
    'event handlers of its own',
    'function p --on-event fish_postexec; false; end; function q --on-event fish_prompt; true; end',
    'echo ok',
    'ok\n',
  ),
  {
    name: 'hooks taken away',
    spoils: true,
    async play(cell) {
      const away = cell.of({
        bash: 'PROMPT_COMMAND=; PS1="x> "; PS0=',
        zsh: 'precmd_functions=() preexec_functions=() PS1="x> "',
        fish: 'functions -e fish_prompt __bd_ready __bd_begin __bd_end',
        other: 'PS1="x> "',
      });
      await cell.gives(away, 0, '');
      await cell.gives('sh -c "exit 5"', 5, '');
      await cell.gives('echo still', 0, 'still\n');
    },
  },
];
