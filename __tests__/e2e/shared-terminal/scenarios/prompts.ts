/** Prompts and start-up files that people really have: nothing of theirs changes, codes stay exact. */

import type { Cell, Scenario } from '../cell.js';
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
  /** What is not echoed cannot be told. */
  const silent = text.includes('stty -echo');
  return {
    name,
    only: shell,
    files: { [shell]: { [file]: `${text}\n` } },
    async play(cell: Cell) {
      for (const code of [0, 3, 130]) await cell.gives(`sh -c "exit ${code}"`, code, '');
      await cell.gives('printf abc', 0, 'abc');
      await cell.gives(probe, 0, shown);
      if (screen !== undefined) await cell.untilScreen(screen);
      if (!silent) await cell.byHand('sh -c "exit 4"', 4);
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
  bash('a start that reads', 'read -t 0.3 x', 'echo ok', 'ok\n'),
  bash('a slow prompt', 'PROMPT_COMMAND="sleep 0.4"', 'echo ok', 'ok\n'),
  bash(
    'a prompt as starship makes it',
    [
      'starship_preexec() { local last=$_; T0=$SECONDS; : "$last"; }',
      'starship_precmd() { S=$? P=$PIPESTATUS; PS1="\\n\\[\\e[1;36m\\]dir\\[\\e[0m\\] [$S/$P] $((SECONDS - T0))s\\n❯ "; PS2="∙ "; return $S; }',
      'trap \'starship_preexec "$_"\' DEBUG',
      'PROMPT_COMMAND=starship_precmd',
    ].join('\n'),
    'sh -c "exit 0"',
    '',
    /dir \[0\/0\] 0s\n❯$/,
  ),
  bash('set -u, and a PROMPT_COMMAND', 'set -u; M=0; PROMPT_COMMAND="M=\\$((M+1))"', '[ "$M" -gt 1 ] && echo more', 'more\n'),
  bash('an early return', 'X=1; return; X=2', 'echo $X', '1\n'),
  bash('PROMPT_COMMAND taken away each time', 'PROMPT_COMMAND="unset PROMPT_COMMAND"', 'echo ok', 'ok\n'),
  bash('no echo', 'stty -echo', 'echo ok', 'ok\n'),
  zsh('nothing set', ':', 'echo $ZDOTDIR-$+ZDOTDIR', '-0\n'),
  zsh('a prompt of two lines', "PROMPT=$'%n dir\\n%? > '", 'echo ok', 'ok\n', /dir\n0 >$/),
  zsh('a prompt at the right', "PROMPT='> '; RPROMPT='[right %?]'", 'echo ok', 'ok\n', /> +\[right 0\]$/),
  zsh(
    'a right prompt that a hook makes anew',
    'f() { precmd_functions+=(g) }; g() { PROMPT="> " RPROMPT="[late %?]" }; precmd_functions=(f)',
    'echo ok',
    'ok\n',
    /> +\[late 0\]$/,
  ),
  zsh(
    'a right prompt that the line editor makes anew',
    'PROMPT="> "; RPROMPT="[first]"; zle-line-init() { RPROMPT="[second]"; zle reset-prompt }; zle -N zle-line-init',
    'echo ok',
    'ok\n',
    /> +\[second\]$/,
  ),
  zsh(
    'two lines, right and transient',
    'setopt transient_rprompt; PROMPT=$\'%F{blue}dir%f\\n> \' RPROMPT="%F{red}right %?%f"; zle-line-finish() { PROMPT="short> " RPROMPT=; zle reset-prompt }; zle -N zle-line-finish; precmd() { PROMPT=$\'%F{blue}dir%f\\n> \' RPROMPT="%F{red}right %?%f" }',
    'echo ok',
    'ok\n',
    /dir\n> +right 0$/,
  ),
  zsh('a prompt with our marks in it', "PROMPT=$'%{\\e]133;D;99\\a%}z> '", 'echo ok', 'ok\n', /z>$/),
  zsh('a slow start', 'sleep 0.3', 'echo ok', 'ok\n'),
  zsh('a start that reads', 'read -t 0.3 x', 'echo ok', 'ok\n'),
  zsh('a slow prompt', 'precmd() { sleep 0.4 }', 'echo ok', 'ok\n'),
  zsh('a prompt before the start is over', 'print -n "instant> "; sleep 0.2; PROMPT="real> "', 'echo ok', 'ok\n', /real>$/),
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
  fish('a prompt with our marks in it', "function fish_prompt; printf '\\e]133;D;99\\af> '; end", 'echo ok', 'ok\n', /f>$/),
  fish('a slow start', 'sleep 0.3', 'echo ok', 'ok\n'),
  fish('a slow prompt', 'function fish_prompt; sleep 0.4; echo "slow> "; end', 'echo ok', 'ok\n', /slow>$/),
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
