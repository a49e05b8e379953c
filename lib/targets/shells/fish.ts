/** fish 3.4 and later: its marks are event handlers and a wrapper around fish_prompt; it has a script form of its own. */

import { shellWord } from '../tmux/quoting.js';
import { closeStrings, eraseRows, type ScriptRequest, shownCommand } from './script.js';
import type { Shell } from './shell.js';

/** Words in single quotes know two escapes there. */
function fishWord(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** `closeStrings` as it must stand in single quotes. */
const closing = closeStrings.replaceAll('\\', '\\\\');

/**
 * Read after the user's own files (`-C`). The prompt function runs first in its wrapper, so that it sees `$status` and `$pipestatus` as
 * they are. A prompt that was defined anew is wrapped again before it is shown. The status file is written there too: the script itself
 * does not come to its end when the command is `exit`.
 */
function bootstrap(nonce: string, folder: string): string {
  const key = `buddy=${nonce}`;
  return `set -g __bd_id ''
set -g __bd_run ''
set -g __bd_n 0
function __bd_st
    return $argv[1]
end
function __bd_wrap
    if functions -q fish_prompt
        string match -q '*__bd_user_prompt*' -- (functions fish_prompt); and return
        functions -e __bd_user_prompt
        functions -c fish_prompt __bd_user_prompt
    else
        functions -q __bd_user_prompt; or function __bd_user_prompt
            builtin printf '> '
        end
    end
    function fish_prompt
        set -l shown (__bd_user_prompt | string collect)
        builtin printf '%s\\e]133;B;${key};n=%s\\a' "$shown" $__bd_n
    end
end
function __bd_wrap_right
    functions -q fish_right_prompt; or return
    string match -q '*__bd_user_right*' -- (functions fish_right_prompt); and return
    functions -e __bd_user_right
    functions -c fish_right_prompt __bd_user_right
    function fish_right_prompt
        set -l shown (__bd_user_right | string collect)
        test -n "$shown"; and builtin printf '\\e]133;P;k=r;${key};n=%s\\a%s\\e]133;P;k=e;${key};n=%s\\a' $__bd_n "$shown" $__bd_n
    end
end
function __bd_ready --on-event fish_prompt
    set -l s $status
    __bd_wrap
    __bd_wrap_right
    set -g __bd_n (math $__bd_n + 1)
    set -l w $PWD
    string match -qr '[[:cntrl:]]' -- $w; and set w ''
    builtin printf '\\e]133;A;%s;${key};n=%s;cwd=%s\\a' $s $__bd_n $w
end
function __bd_begin --on-event fish_preexec
    set -g __bd_run 1
    set -l l (string sub -l 1000 -- $argv[1] | string replace -a % %25 | string join %0a)
    builtin printf '\\e]133;C;${key};n=%s;line=%s\\a' $__bd_n (string replace -ar '[[:cntrl:]]' ' ' -- $l)
end
function __bd_end --on-event fish_postexec
    set -l s $status
    test -n "$__bd_id"; and builtin printf '%s %s\\n' $__bd_id $s >${fishWord(`${folder}/status`)}
    test -n "$__bd_run$__bd_id"; and builtin printf '\\e]133;D;%s;${key};n=%s;id=%s\\a${closing}' $s $__bd_n $__bd_id
    set -g __bd_id ''
    set -g __bd_run ''
end
`;
}

function typedLine(folder: string): string {
  return ` source ${folder}/s;eval $__bd`;
}

function script({ command, id, nonce, folder, typedRows }: ScriptRequest): string {
  const key = `buddy=${nonce}`;
  const status = fishWord(`${folder}/status`);
  const lines = [
    'set -g __bd',
    `set -g __bd_id ${id}`,
    `builtin printf '' >${fishWord(`${folder}/s`)}`,
    `builtin printf '#%s\\n' ${id} >${status}`,
    `builtin printf '${eraseRows(typedRows)}\\033[2m%s\\033[0m\\n\\033]133;C;${key};id=${id}\\007' ${fishWord(shownCommand(command))}`,
    '__bd_st $__bd_p',
    `eval ${fishWord(command)}`,
    'set -g __bd_rc $status',
    `builtin printf '%s %s\\n' ${id} $__bd_rc >${status}`,
    'set -g __bd_w $PWD',
    `string match -qr '[[:cntrl:]]' -- $__bd_w; and set -g __bd_w ''`,
    `builtin printf '\\033]133;D;%s;${key};id=${id};cwd=%s\\007${closing}' $__bd_rc $__bd_w`,
    // A line with a blank before it could be recalled until the next one comes. Not earlier: what runs is the newest, which fish hides.
    `builtin history delete --exact --case-sensitive -- ${fishWord(typedLine(folder))} 2>/dev/null`,
    '__bd_st $__bd_rc',
  ];
  return `set -g __bd_p $status\nset -g __bd ${fishWord(lines.join('\n'))}\n`;
}

export const fish: Shell = {
  name: 'fish',
  marksStart: true,
  posix: false,
  serves: (program) => program === 'fish',
  startFiles: (nonce, folder) => [{ name: 'rc', text: bootstrap(nonce, folder) }],
  commandLine: (program, folder, login) =>
    `exec ${shellWord(program)} ${login ? '-l ' : ''}-i -C ${shellWord(`source ${fishWord(`${folder}/rc`)}`)}`,
  typedLine,
  enter: '\r',
  script,
};
