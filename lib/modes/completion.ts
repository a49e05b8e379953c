/** What lets a shell complete our command line, made from the tables of flags and subcommands. */

import { type completionShells, flagRows, subcommandRows } from '../cli-options.js';
import { bundledProfiles, demoProfile } from '../config/profiles.js';
import type { CompletedCommand, CompletedFlag, CompletedLine } from './completed-line.js';
import { bashScript } from './completion-bash.js';
import { fishScript } from './completion-fish.js';
import { zshScript } from './completion-zsh.js';

const scripts: Readonly<Record<(typeof completionShells)[number], (line: CompletedLine) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script for a shell: to be sourced, or kept where the shell looks for completions. */
export function completionScript(shell: keyof typeof scripts): string {
  return scripts[shell]({ programs: ['buddy-tui', 'buddy'], flags: flags(), commands: commands(), sources });
}

function flags(): readonly CompletedFlag[] {
  const own = flagRows.map((row): CompletedFlag => {
    const name = row.negative === undefined ? row.name : `no-${row.name}`;
    return {
      spellings: [`--${name}`, ...(row.alias === undefined ? [] : [`-${row.alias}`])],
      says: row.negative ?? row.says,
      value: row.type === 'string' ? { name: row.value ?? 'VALUE', completes: row.completes ?? 'nothing' } : null,
      only: row.only ?? [],
    };
  });
  return [
    ...own,
    { spellings: ['--help', '-h'], says: 'Show help.', value: null, only: [] },
    { spellings: ['--version', '-V'], says: 'Show the version.', value: null, only: [] },
  ];
}

function commands(): readonly CompletedCommand[] {
  return subcommandRows.flatMap(({ usage, says, words, file }) => {
    const name = usage.split(' ')[0] ?? '';
    return name === '$0' ? [] : [{ name, says, words: words ?? [], file: file === true }];
  });
}

/** Of sh, so that each shell can run them. They are quick: none asks a network or waits. */
const sources: CompletedLine['sources'] = {
  profile: [
    // $1: the file of -c, when there is one.
    'file=$1 config=$XDG_CONFIG_HOME',
    '[ -n "$config" ] || config=$HOME/.config',
    '[ -n "$file" ] || file=$config/buddy/buddy.toml',
    String.raw`names=$(sed -n "s/^[[:space:]]*\[models\.[\"']\{0,1\}\([A-Za-z0-9_.:\/-]*\)[\"']\{0,1\}\].*/\1/p" "$file" 2>/dev/null)`,
    `[ -n "$names" ] || names="${bundledProfiles.map(({ name }) => name).join(' ')}"`,
    String.raw`printf "%s\n" $names ${demoProfile.name}`,
  ].join('; '),
  host: String.raw`sed -n "s/^[[:space:]]*[Hh][Oo][Ss][Tt][[:space:]=]\{1,\}//p" ~/.ssh/config 2>/dev/null | tr -s " \t" "\n\n" | grep -v "[*?!]"`,
  container: 'for engine in docker podman; do command -v $engine >/dev/null && $engine ps --format "{{.Names}}"; done 2>/dev/null',
  session: 'tmux list-sessions -F "#{session_name}" 2>/dev/null | sed -n "s/^buddy-//p"',
};
