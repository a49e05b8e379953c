/** zsh 5 and later: ZDOTDIR leads it to our start-up files, which give it back its own. */

import { shellWord } from '../tmux/quoting.js';
import { closeStrings, posixFunctions, posixScript, posixTypedLine, type ScriptWords } from './script.js';
import type { Shell } from './shell.js';

/**
 * Read first; the user's own may set ZDOTDIR. The system's zshrc would now be read with our ZDOTDIR and leave its completion cache there
 * and its HISTFILE pointing there: it waits until ZDOTDIR is the user's again.
 */
function environmentFile(folder: string): string {
  return `if [[ -n \${__BD_ZDOTDIR-} ]]; then export ZDOTDIR=$__BD_ZDOTDIR; else unset ZDOTDIR; fi
unset __BD_ZDOTDIR
[[ -r \${ZDOTDIR-$HOME}/.zshenv ]] && . "\${ZDOTDIR-$HOME}/.zshenv"
(( \${+ZDOTDIR} )) && __bd_zdotdir=$ZDOTDIR
[[ -o interactive && -o global_rcs ]] && { __bd_global=1; unsetopt global_rcs }
ZDOTDIR=${shellWord(folder)}
`;
}

/** Read next for a login: the system's and the user's own .zprofile with the user's own ZDOTDIR. */
function loginFile(folder: string): string {
  return `if (( \${+__bd_zdotdir} )); then export ZDOTDIR=$__bd_zdotdir; else unset ZDOTDIR; fi
if (( \${+__bd_global} )); then
  setopt global_rcs
  if [[ -r /etc/zsh/zprofile ]]; then . /etc/zsh/zprofile; elif [[ -r /etc/zprofile ]]; then . /etc/zprofile; fi
  unsetopt global_rcs
fi
[[ -r \${ZDOTDIR-$HOME}/.zprofile ]] && . "\${ZDOTDIR-$HOME}/.zprofile"
unset __bd_zdotdir
(( \${+ZDOTDIR} )) && __bd_zdotdir=$ZDOTDIR
ZDOTDIR=${shellWord(folder)}
`;
}

/**
 * The user's own .zshrc with the user's own ZDOTDIR, then hooks around whatever it made: `__bd_pre` is the first of precmd (D mark),
 * `__bd_post` the last (A, and B and P;k=s into PS1 and PS2), preexec prints C. When another hook still made the prompt later,
 * the line editor prints B itself. `$?` is kept, no option is changed, and lines of ours are kept out of the history.
 */
function interactiveFile(nonce: string): string {
  return `if (( \${+__bd_zdotdir} )); then export ZDOTDIR=$__bd_zdotdir; else unset ZDOTDIR; fi
unset __bd_zdotdir
if (( \${+__bd_global} )); then
  unset __bd_global
  setopt global_rcs
  if [[ -r /etc/zsh/zshrc ]]; then . /etc/zsh/zshrc; elif [[ -r /etc/zshrc ]]; then . /etc/zshrc; elif [[ -r /usr/local/etc/zshrc ]]; then . /usr/local/etc/zshrc; fi
fi
[[ -r \${ZDOTDIR-$HOME}/.zshrc ]] && . "\${ZDOTDIR-$HOME}/.zshrc"
typeset -g __bd_k=buddy=${nonce} __bd_run= __bd_id= __bd_u1= __bd_w1= __bd_u2= __bd_w2= __bd_u3= __bd_w3= __bd_rc=0 __bd_x= __bd_n=0
${posixFunctions}__bd_pre() {
  __bd_rc=$?
  builtin emulate -L zsh
  [[ -n $__bd_run$__bd_id ]] && builtin printf '\\e]133;D;%s;%s;n=%s;id=%s\\a${closeStrings}' $__bd_rc $__bd_k $__bd_n "$__bd_id"
  __bd_run= __bd_id=
  (( \${+__bd_eol} )) && { PROMPT_EOL_MARK=$__bd_eol; unset __bd_eol }
  (( \${+__bd_noeol} )) && unset PROMPT_EOL_MARK __bd_noeol
  return 0
}
__bd_post() {
  builtin emulate -L zsh
  local d=$PWD
  [[ $d == *[[:cntrl:]]* ]] && d=
  builtin printf '\\e]133;A;%s;%s;n=%s;cwd=%s\\a' $__bd_rc $__bd_k $(( ++__bd_n )) $d
  [[ \${PS1-} == "$__bd_w1" ]] || __bd_u1=\${PS1-}
  [[ \${PS2-} == "$__bd_w2" ]] || __bd_u2=\${PS2-}
  __bd_w1=$__bd_u1$'%{\\e]133;B;'"$__bd_k;n=$__bd_n"$'\\a%}'
  __bd_w2=$'%{\\e]133;P;k=s;'"$__bd_k;n=$__bd_n"$'\\a%}'$__bd_u2
  PS1=$__bd_w1 PS2=$__bd_w2
  __bd_right
  [[ $precmd_functions[-1] == __bd_post ]] || precmd_functions=(\${precmd_functions:#__bd_post} __bd_post)
  return 0
}
__bd_right() {
  # Both names lead to one text, but each looks unset until it was given a value itself.
  local right=\${RPROMPT-\${RPS1-}}
  [[ -n $right && $right != "$__bd_w3" ]] && __bd_u3=$right
  [[ -n $right ]] || return 1
  __bd_w3=$'%{\\e]133;P;k=r;'"$__bd_k;n=$__bd_n"$'\\a%}'$__bd_u3$'%{\\e]133;P;k=e;'"$__bd_k;n=$__bd_n"$'\\a%}'
  RPROMPT=$__bd_w3
  [[ $right != "$__bd_w3" ]]
}
__bd_line() {
  builtin emulate -L zsh
  [[ \${PS1-} == *$__bd_k* ]] || builtin printf '\\e]133;B;%s;n=%s\\a' $__bd_k $__bd_n
  __bd_right && zle reset-prompt
  return 0
}
__bd_exec() {
  builtin emulate -L zsh
  __bd_run=1
  local line=\${1[1,1000]}
  line=\${line//\\%/%25}
  line=\${line//$'\\n'/%0a}
  builtin printf '\\e]133;C;%s;n=%s;line=%s\\a' $__bd_k $__bd_n "\${line//[[:cntrl:]]/ }"
}
__bd_history() { [[ $1 != *'__bd_p=$?;. '* ]] || fc -p }
typeset -ga precmd_functions preexec_functions zshaddhistory_functions
__bd_install() {
  builtin emulate -L zsh
  precmd_functions=(__bd_pre $precmd_functions __bd_post)
  preexec_functions+=(__bd_exec)
  zshaddhistory_functions+=(__bd_history)
  autoload -Uz add-zle-hook-widget && add-zle-hook-widget line-init __bd_line 2>/dev/null
  return 0
}
__bd_install
unfunction __bd_install
`;
}

const words: ScriptWords = {
  printf: '\\builtin printf',
  // Not in a function: at its end zsh puts the trace back to what it was before.
  trace: 'set -x;__bd_st $__bd_p;',
  before: [
    // `abc` without a line end must not be followed by zsh's own mark; the prompt's hook gives it back.
    `if (( \${+PROMPT_EOL_MARK} )); then __bd_eol=$PROMPT_EOL_MARK; else __bd_noeol=; fi; PROMPT_EOL_MARK=`,
  ],
};

export const zsh: Shell = {
  name: 'zsh',
  marksStart: true,
  posix: true,
  serves: (program) => program === 'zsh',
  startFiles: (nonce, folder, login) => [
    { name: '.zshenv', text: environmentFile(folder) },
    ...(login ? [{ name: '.zprofile', text: loginFile(folder) }] : []),
    { name: '.zshrc', text: interactiveFile(nonce) },
  ],
  commandLine: (program, folder, login) =>
    `exec env __BD_ZDOTDIR="$ZDOTDIR" ZDOTDIR=${shellWord(folder)} ${shellWord(program)} ${login ? '-l ' : ''}-i`,
  typedLine: posixTypedLine,
  enter: '\r',
  script: (request) => posixScript(request, words),
};
