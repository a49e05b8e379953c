/** Completion for bash: one function, with nothing but what bash has by itself. */

import type { CompletedFlag, CompletedLine } from './completed-line.js';

/** The script. */
export function bashScript({ programs, flags, commands, sources }: CompletedLine): string {
  const spelled = (which: readonly CompletedFlag[]) => which.flatMap(({ spellings }) => spellings);
  const valued = flags.filter(({ value }) => value !== null);
  const own = (name: string) => flags.filter(({ only }) => only.includes(name));
  const cases = valued.map(({ spellings, value }) => `    ${spellings.join('|')}) kind=${value?.completes} ;;`);
  const withFile = commands.filter(({ file }) => file).map(({ name }) => `${name}/*`);
  return `# bash completion of ${programs.join(' and ')}. Written by "buddy-tui completion bash".
# For this shell: eval "$(buddy-tui completion bash)". For each: keep it as ~/.local/share/bash-completion/completions/buddy-tui.

_buddy_tui_source() {
  case $1 in
${Object.entries(sources)
  .map(([kind, command]) => `    ${kind}) sh -c '${quoted(command)}' sh "$2" ;;`)
  .join('\n')}
  esac
}

_buddy_tui_kind() {
  local kind=
  case $1 in
${cases.join('\n')}
  esac
  printf '%s' "$kind"
}

_buddy_tui() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= file= words= kind= i
  # bash takes "--ssh=web" for three words.
  if [ "$current" = = ]; then current=; elif [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      -c|--config)
        [ "\${COMP_WORDS[i+1]}" = = ] && i=$((i + 1))
        i=$((i + 1)) file=\${COMP_WORDS[i]}
        ;;
      -*)
        if [ -n "$(_buddy_tui_kind "\${COMP_WORDS[i]}")" ]; then
          [ "\${COMP_WORDS[i+1]}" = = ] && i=$((i + 1))
          i=$((i + 1))
        fi
        ;;
      ${commands.map(({ name }) => name).join('|')}) [ -n "$command" ] || command=\${COMP_WORDS[i]} ;;
    esac
  done
  COMPREPLY=()
  kind=$(_buddy_tui_kind "$before")
  case $kind in
    file)
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$current"))
      return
      ;;
    nothing) return ;;
    ?*) words=$(_buddy_tui_source "$kind" "$file") ;;
    '')
      words='${spelled(flags.filter(({ only }) => only.length === 0)).join(' ')}'
      case $command in
${commands.map(({ name, words }) => `        ${name}) words="$words ${[...spelled(own(name)), ...words].join(' ')}" ;;`).join('\n')}
        '') words="$words ${commands.map(({ name }) => name).join(' ')}" ;;
      esac
      # Flags are offered when one is begun.
      [ "\${current:0:1}" = - ] || words=$(printf '%s\\n' $words | grep -v '^-')
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case $kind$command/$current in
    */-*) ;;
    ${withFile.join('|')})
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      COMPREPLY+=($(compgen -f -- "$current"))
      ;;
  esac
}

complete -F _buddy_tui ${programs.join(' ')}
`;
}

/** Inside of single quotes. */
function quoted(command: string): string {
  return command.replaceAll("'", `'\\''`);
}
