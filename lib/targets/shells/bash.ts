/** bash 4.4 and later, started with its marks built in. */

import { shellWord } from '../tmux/quoting.js';
import { closeStrings, posixFunctions, posixScript, posixTypedLine } from './script.js';
import type { Shell } from './shell.js';

/**
 * What bash reads when somebody logs in. A real login shell takes no `--init-file`: its hooks could only come by PROMPT_COMMAND, which
 * people's own files set.
 */
const LOGIN_FILES = `[ -r /etc/profile ] && . /etc/profile
if [ -r ~/.bash_profile ]; then . ~/.bash_profile; elif [ -r ~/.bash_login ]; then . ~/.bash_login; elif [ -r ~/.profile ]; then . ~/.profile; fi
`;
const INTERACTIVE_FILES = `[ -r ~/.bashrc ] && . ~/.bashrc
`;

/**
 * The user's own files, then hooks around whatever prompt it made: `__bd_pre` runs first in PROMPT_COMMAND (D mark), `__bd_post`
 * last (A, B and P;k=s into PS1 and PS2), PS0 prints C. All keep `$?` and stand `set -u` and `set -e`. Lines of ours, and no others, are
 * kept out of the history.
 */
function bootstrap(nonce: string, login: boolean): string {
  return `${login ? LOGIN_FILES : INTERACTIVE_FILES}__bd_k=buddy=${nonce}
__bd_n=0 __bd_run= __bd_id= __bd_u1= __bd_w1= __bd_u2= __bd_w2= __bd_z=
HISTIGNORE=\${HISTIGNORE:+$HISTIGNORE:}'*__bd_p=$?;. *'
${posixFunctions}__bd_pre() {
  __bd_rc=$?
  [[ -n \${__bd_run-}\${__bd_id-} ]] && builtin printf '\\e]133;D;%s;%s;n=%s;id=%s\\a${closeStrings}' "$__bd_rc" "$__bd_k" "$__bd_n" "\${__bd_id-}"
  __bd_run= __bd_id=
  [[ $- == *e* ]] || return "$__bd_rc"
}
__bd_post() {
  [[ \${PS1-} == "$__bd_w1" ]] || __bd_u1=\${PS1-}
  [[ \${PS2-} == "$__bd_w2" ]] || __bd_u2=\${PS2-}
  [[ \${PS0-} == *"$__bd_k"* ]] && PS0=\${PS0#*"$__bd_k"*'\\a'}
  if shopt -q promptvars; then
    __bd_w1="\\\\[\\\\e]133;A;\\$?;$__bd_k;n=\\$((__bd_n+=1));id=\\\${__bd_id-};cwd=\\\${PWD##*[[:cntrl:]]*}\\\\a\\\\]$__bd_u1\\\\[\\\\e]133;B;$__bd_k;n=\\\${__bd_n-}\\\\a\\\\]"
    __bd_w2="\\\\[\\\\e]133;P;k=s;$__bd_k;n=\\\${__bd_n-}\\\\a\\\\]$__bd_u2"
    PS0='\${__bd_z:$((__bd_run=1,0)):0}\\e]133;C;'$__bd_k';n=\${__bd_n-}\\a'\${PS0-}
  else
    __bd_w1="\\\\[\\\\e]133;A;$__bd_k;n=$((__bd_n+=1))\\\\a\\\\]$__bd_u1\\\\[\\\\e]133;B;$__bd_k;n=$__bd_n\\\\a\\\\]"
    __bd_w2="\\\\[\\\\e]133;P;k=s;$__bd_k;n=$__bd_n\\\\a\\\\]$__bd_u2"
    PS0='\\e]133;C;'$__bd_k';n='$__bd_n'\\a'\${PS0-}
    __bd_run=1
  fi
  PS1=$__bd_w1
  PS2=$__bd_w2
  [[ $- == *e* ]] || return "$__bd_rc"
}
__bd_install() {
  local c s=
  local -a pc=()
  if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then pc=("\${PROMPT_COMMAND[@]}"); elif [[ -n \${PROMPT_COMMAND-} ]]; then pc=("$PROMPT_COMMAND"); fi
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND=(__bd_pre "\${pc[@]}" __bd_post)
  else
    for c in "\${pc[@]}"; do s+="$c"$'\\n'; done
    PROMPT_COMMAND="__bd_pre"$'\\n'"\${s}__bd_post"
  fi
}
__bd_install
unset -f __bd_install
`;
}

export const bash: Shell = {
  name: 'bash',
  marksStart: true,
  posix: true,
  serves: (program) => program === 'bash',
  startFiles: (nonce, _folder, login) => [{ name: 'rc', text: bootstrap(nonce, login) }],
  commandLine: (program, folder) => `exec ${shellWord(program)} --init-file ${shellWord(`${folder}/rc`)} -i`,
  typedLine: posixTypedLine,
  enter: '\r',
  script: posixScript,
};
