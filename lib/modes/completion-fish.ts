/** Completion for fish: one `complete` for each flag and subcommand. */

import type { CompletedFlag, CompletedLine } from './completed-line.js';

/** The script. */
export function fishScript({ programs, flags, commands, sources }: CompletedLine): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = [
    'complete -c $program -f',
    ...flags.map(flagLine),
    ...commands.flatMap(({ name, says, words, file }) => [
      `complete -c $program -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d ${single(says)}`,
      ...(words.length === 0 ? [] : [`complete -c $program -n "__fish_seen_subcommand_from ${name}" -a ${single(words.join(' '))}`]),
      ...(file ? [`complete -c $program -n "__fish_seen_subcommand_from ${name}" -F`] : []),
    ]),
  ];
  return `# fish completion of ${programs.join(' and ')}. Written by "buddy-tui completion fish".
# For this shell: buddy-tui completion fish | source. For each: keep it as ~/.config/fish/completions/buddy-tui.fish.

function __buddy_tui_source
    set -l tokens (commandline -opc)
    set -l file
    for i in (seq (count $tokens))
        switch $tokens[$i]
            case -c --config
                test $i -lt (count $tokens); and set file $tokens[(math $i + 1)]
            case '--config=*'
                set file (string replace -- --config= '' $tokens[$i])
        end
    end
    switch $argv[1]
${Object.entries(sources)
  .map(([kind, command]) => `        case ${kind}\n            sh -c ${single(command)} sh "$file"`)
  .join('\n')}
    end
end

for program in ${programs.join(' ')}
${lines.map((line) => `    ${line}`).join('\n')}
end
`;
}

function flagLine({ spellings, says, value, only }: CompletedFlag): string {
  const spelled = spellings.map((spelling) => (spelling.startsWith('--') ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`));
  const when = only.length === 0 ? '' : ` -n "__fish_seen_subcommand_from ${only.join(' ')}"`;
  return `complete -c $program${when} ${spelled.join(' ')}${valuePart(value)} -d ${single(says)}`;
}

function valuePart(value: CompletedFlag['value']): string {
  if (value === null) return '';
  if (value.completes === 'file') return ' -r -F';
  return value.completes === 'nothing' ? ' -x' : ` -x -a "(__buddy_tui_source ${value.completes})"`;
}

/** Inside of single quotes fish knows two escapes. */
function single(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
