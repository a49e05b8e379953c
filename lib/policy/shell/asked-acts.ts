/** Why a command, a redirection or a variable is asked about whatever the policy is. */

import { actRows, CONTROLS, DISKS, PERSISTS, STEERS, UPLOADS } from './act-rows.js';
import type { Argument } from './argument.js';
import type { Invocation } from './invocations.js';
import { isConnection, isDisk, isGitFile, isSecret, isStartedLater, isTerminal } from './paths.js';
import { onlyLooks } from './readers.js';
import { steeredRows } from './steered-rows.js';

const SECRETS = 'it opens a file that holds secrets';

/** To them a path is a name, and no file to be opened. */
const NAMES_ONLY = new Set(
  'echo printf ls stat file test [ [[ readlink realpath basename dirname which type du cd pushd export declare local readonly git'.split(
    ' ',
  ),
);

/** What they do to a disk can be undone. */
const MOUNTS = new Set(['mount', 'umount']);

/** None: the policy decides. */
export function askedActs({ name, argv }: Invocation): readonly string[] {
  const args = argv.slice(1);
  const words = args.map((arg) => arg.text);
  const said = [...actRows, ...steeredRows]
    .filter(({ programs }) => ('has' in programs ? programs.has(name) : programs.test(name)))
    .filter(({ when }) => when === undefined || when(words, args))
    .map(({ says }) => says);
  if (NAMES_ONLY.has(name)) return said;
  if (args.some(isSecret)) said.push(SECRETS);
  if (args.some(isTerminal)) said.push(CONTROLS);
  if (onlyLooks(name, args)) return said;
  // `@file` is read and sent.
  if (args.some((arg) => !arg.text.startsWith('@') && isStartedLater(arg))) said.push(PERSISTS);
  if (args.some(isDisk) && !MOUNTS.has(name)) said.push(DISKS);
  return said;
}

/** The same of a file that a redirection opens. */
export function askedOpening(path: Argument, writes: boolean): readonly string[] {
  const said: string[] = [];
  if (isSecret(path)) said.push(SECRETS);
  if (isConnection(path)) said.push(UPLOADS);
  if (isTerminal(path) && writes) said.push(CONTROLS);
  if (writes && (isStartedLater(path) || isGitFile(path))) said.push(PERSISTS);
  if (writes && isDisk(path)) said.push(DISKS);
  return said;
}

/** Variables that make the shell or a program run something else. */
const STEERING =
  /^(?:BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|LD_\w+|DYLD_\w+|GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG\w*)|LESSOPEN|LESSCLOSE|PERL5OPT|PERL5DB|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|RUBYOPT|JAVA_TOOL_OPTIONS|SHELLOPTS|BASHOPTS|ZDOTDIR|SSH_ASKPASS|SUDO_ASKPASS|BASH_ALIASES|BASH_CMDS|BASH_FUNC_.*|BASH_LOADABLES_PATH|TAR_OPTIONS|RSYNC_RSH|CVS_RSH|SVN_SSH|(?:GNU)?MAKEFLAGS|MAKEFILES|LESSKEYIN|VIMINIT|EXINIT|GVIMINIT|PYTHONBREAKPOINT|LUA_INIT\w*|R_PROFILE\w*|GCONV_PATH|OPENSSL_(?:CONF|MODULES|ENGINES)|_?J(?:AVA|DK_JAVA)_OPTIONS|RUSTC(?:_\w+)?|CARGO_\w*(?:RUNNER|WRAPPER|RUSTC|LINKER)|npm_config_\w*shell|PSQLRC|AUTOM4TE|AUTOCONF|GROFF_\w*|TROFF\w*|EASYRSA_OPENSSL|GDBHISTFILE|FCEDIT)=/;
const STEERING_BY_VALUE =
  /^(?:(?:GIT_|MAN)?PAGER|(?:GIT_)?EDITOR|VISUAL|BROWSER)=(?!(?:cat|less|more|true|:|vim?|nano)?$)|^(?:SYSTEMD_|PSQL_|AWS_|BAT_|DELTA_)PAGER=(?!(?:cat|less|more|)$)|^(?:SYSTEMD_|KUBE_|SUDO_|PSQL_|SVN_)EDITOR=(?!(?:vim?|nano|)$)|^LESS=.*\+|^GOFLAGS=.*exec|^PATH=(?:[^/~:]|\/tmp|\/var\/tmp|\/dev\/shm)|^NODE_OPTIONS=.*(?:require|import|inspect|loader)/;

/** Why giving variables those values (`NAME=value`) is asked about; none when it is not. */
export function askedVariables(assigned: ReadonlySet<string>): readonly string[] {
  return [...assigned].some((assignment) => STEERING.test(assignment) || STEERING_BY_VALUE.test(assignment)) ? [STEERS] : [];
}
