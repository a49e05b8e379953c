/** Completion for zsh: `_arguments` with the flags of the subcommand. */

import type { CompletedFlag, CompletedLine } from './completed-line.js';

/** The script. */
export function zshScript({ programs, flags, commands, sources }: CompletedLine): string {
  const common = flags.filter(({ only }) => only.length === 0).flatMap(argument);
  const own = (name: string) => flags.filter(({ only }) => only.includes(name)).flatMap(argument);
  return `#compdef ${programs.join(' ')}
# zsh completion of ${programs.join(' and ')}. Written by "buddy-tui completion zsh".
# For this shell: source <(buddy-tui completion zsh). For each: keep it as _buddy_tui in a folder of $fpath.

_buddy_tui_source() {
  local -a names
  # Before the kind stands what compadd is to know.
  case \${@[-1]} in
${Object.entries(sources)
  .map(
    ([kind, command]) =>
      `    ${kind}) names=(\${(f)"$(sh -c '${command.replaceAll("'", `'\\''`)}' sh "\${(Q)opt_args[-c]:-\${(Q)opt_args[--config]}}")"}) ;;`,
  )
  .join('\n')}
  esac
  compadd "\${@[1,-2]}" -a names
}

_buddy_tui() {
  local context state line command word
  typeset -A opt_args
  local -a flags commands
  flags=(
${common.map((spec) => `    ${spec}`).join('\n')}
  )
  commands=(
${commands.map(({ name, says }) => `    ${single(`${name}:${says}`)}`).join('\n')}
  )
  for word in \${words[2,CURRENT-1]}; do
    case $word in
      ${commands.map(({ name }) => name).join('|')}) command=$word; break ;;
    esac
  done
  case $command in
${commands
  .map(({ name, words, file }) => {
    const known = words.length === 0 ? [] : [`'2:word:(${words.join(' ')})'`];
    const all = file ? [...known, `'${known.length + 2}:file:_files'`] : known;
    const after = all.length === 0 ? "'*: :->rest'" : all.join(' ');
    return `    ${name}) flags+=(${own(name).join(' ')}); _arguments -s $flags '1:command: ' ${after} ;;`;
  })
  .join('\n')}
    *) _arguments -s $flags '1:command:->command' '*: :->rest' && return 0
      [[ $state = command ]] && _describe -t commands command commands ;;
  esac
}

if [[ "$funcstack[1]" = _buddy_tui ]]; then
  _buddy_tui "$@"
else
  compdef _buddy_tui ${programs.join(' ')}
fi
`;
}

/** What `_arguments` is told of a flag, once for each spelling; one of them excludes the others. */
function argument({ spellings, says, value }: CompletedFlag): readonly string[] {
  const others = `(${spellings.join(' ')})`;
  return spellings.map((spelling) => {
    const joined = value === null ? '' : spelling.startsWith('--') ? '=' : '+';
    const action = value === null ? '' : `:${value.name.replaceAll(/[[\]:]/g, ' ').trim()}:${actionOf(value.completes)}`;
    return single(`${others}${spelling}${joined}[${says.replaceAll(/[[\]]/g, '')}]${action}`);
  });
}

function actionOf(kind: string | undefined): string {
  if (kind === 'file') return '_files';
  return kind === 'nothing' || kind === undefined ? ' ' : `_buddy_tui_source ${kind}`;
}

function single(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
