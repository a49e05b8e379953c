/** dash, busybox ash and other POSIX shells that read $ENV when they are interactive. */

import { shellWord } from '../tmux/quoting.js';
import { mouseOff, posixFunctions, posixScript, posixTypedLine } from './script.js';
import type { Shell } from './shell.js';

/** What a login reads; the profile may name a file in ENV, which an interactive shell reads next. */
const LOGIN_FILES = `[ -r /etc/profile ] && . /etc/profile
[ -r ~/.profile ] && . ~/.profile
case \${ENV-} in ?*) [ -r "$ENV" ] && . "$ENV" ;; esac
`;

/**
 * There are no hooks: the marks ride in PS1 itself. The id is reset by the arithmetic in PS1, after the D mark showed it.
 * busybox needs its `\[ \]` around what takes no room, and reads backslashes once more than others.
 */
function bootstrap(nonce: string, login: boolean): string {
  return `unset ENV
${login ? LOGIN_FILES : ''}__bd_k=buddy=${nonce}
__bd_e=$(printf '\\033') __bd_b=$(printf '\\007') __bd_id=0 __bd_n=0
${posixFunctions}case $(readlink /proc/$$/exe 2>/dev/null) in *busybox*) __bd_o='\\[' __bd_c='\\]' __bd_s='\\\\\\\\' ;; *) __bd_o= __bd_c= __bd_s='\\\\' ;; esac
PS1="\${__bd_o}\${__bd_e}]133;D;"'$?'";$__bd_k;n="'$((__bd_n=__bd_n+1))'";id="'\${__bd_id}'"\${__bd_b}\${__bd_e}\${__bd_s}\${__bd_e}(B\${__bd_e}${mouseOff}\${__bd_e}]133;A;z="'$((__bd_id=0))'";$__bd_k;n="'\${__bd_n}'";cwd="'\${PWD-}'"\${__bd_b}\${__bd_c}\${PS1:-\\$ }\${__bd_o}\${__bd_e}]133;B;$__bd_k;n="'\${__bd_n}'"\${__bd_b}\${__bd_c}"
PS2="\${__bd_o}\${__bd_e}]133;P;k=s;$__bd_k;n="'\${__bd_n}'"\${__bd_b}\${__bd_c}> "
`;
}

/**
 * busybox asks at each prompt where the cursor is. It takes the answer for row 1, column 5 for the beginning of a key, and swallows what
 * comes next while its buffer of 16 bytes has room.
 */
const BLANKS = ' '.repeat(10);

export const posix: Shell = {
  name: 'sh',
  marksStart: false,
  posix: true,
  serves: (program) => ['sh', 'dash', 'ash', 'busybox'].includes(program),
  startFiles: (nonce, _folder, login) => [{ name: 'rc', text: bootstrap(nonce, login) }],
  commandLine: (program, folder) =>
    `exec env ENV=${shellWord(`${folder}/rc`)} ${shellWord(program)} ${program.endsWith('busybox') ? 'ash ' : ''}-i`,
  typedLine: (folder) => `${BLANKS}${posixTypedLine(folder)}`,
  enter: '\n',
  script: posixScript,
};
