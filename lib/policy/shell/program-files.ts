/** Programs that do what a file says: which of their arguments names it, which they look for by themselves, and what lets it start others. */

import { posix } from 'node:path';
import { type Argument, known } from './argument.js';

/**
 * How one of them is told its file. A row is words: options whose value names it (`-f`), `operand` when an operand does (`operand:.go` one that ends so), `input` when it
 * takes commands from its standard input, and the names that it looks for by itself (`self:Makefile`).
 */
const rows: Readonly<Record<string, string>> = {
  'awk gawk mawk nawk': '-f --file -i --include',
  sed: '-f --file',
  'make gmake bmake': '-f --file --makefile self:Makefile self:makefile self:GNUmakefile',
  just: '-f --justfile self:justfile self:Justfile self:.justfile',
  rake: '-f --rakefile self:Rakefile self:rakefile',
  ninja: '-f self:build.ninja',
  task: '-t --taskfile self:Taskfile.yml self:Taskfile.yaml',
  scons: '-f --file self:SConstruct self:SConscript',
  'cmake ctest': '-P -C -S self:CMakeLists.txt self:CTestTestfile.cmake',
  'npm pnpm yarn bun npx': 'self:package.json self:.npmrc self:.yarnrc self:.yarnrc.yml',
  cargo: '--config self:build.rs self:Cargo.toml self:config.toml self:main.rs self:lib.rs',
  go: 'operand:.go self:main.go self:go.mod',
  'gradle gradlew':
    '-b -I --build-file --init-script self:build.gradle self:settings.gradle self:build.gradle.kts self:settings.gradle.kts',
  'mvn mvnw': '-f --file self:pom.xml',
  ant: '-f -buildfile self:build.xml',
  bundle: 'self:Gemfile',
  'gem pod fastlane': 'self:Gemfile self:Podfile self:Fastfile self:Rakefile',
  'pip pip3 pipx uv poetry tox nox pytest': 'self:setup.py self:pyproject.toml self:tox.ini self:noxfile.py self:conftest.py',
  'composer php': 'self:composer.json',
  'dotnet msbuild': 'operand self:Directory.Build.props self:Directory.Build.targets',
  'ansible-playbook ansible ansible-console': '-i --inventory operand self:ansible.cfg',
  vagrant: 'self:Vagrantfile',
  'puppet chef-apply bolt': 'operand',
  logrotate: 'operand',
  'gdb lldb': '-x -s -ix --command --init-command --source self:.gdbinit self:.lldbinit',
  'vi vim nvim view ex vimdiff rvim': '-S -s -u -U -i',
  emacs: '-l --load --script',
  psql: '-f --file input',
  'mysql mariadb': 'input --defaults-file --defaults-extra-file',
  sqlite3: '-init input',
  'ed red ftp tftp sftp telnet dc gnuplot octave bc maxima gp units': '-b -f operand input',
  'm4 groff troff nroff': 'operand input',
  'ssh scp sftp': '-F',
  'latex pdflatex pdftex tex xelatex lualatex latexmk': 'operand self:latexmkrc self:.latexmkrc',
  'openvpn wg-quick': '--config operand',
  'nginx dnsmasq rsyslogd procmail dhclient asterisk haproxy': '-c -C -f -sf --conf-file --conf-dir operand',
  'screen tmux': '-c -f',
  'msfconsole ghci stap bpftrace dtrace': '-r -s operand',
  'run-parts source-highlight java cobc dvips pic': 'operand',
  'easyrsa fastfetch neofetch': '-c --config --vars',
  'bconsole crash ginsh ispell psftp tasksh tdbtool ncftp hping3 jtag': 'input',
};

interface Row {
  readonly options: ReadonlySet<string>;
  /** An operand that ends so names a file; null: none does. */
  readonly operand: string | null;
  readonly isInput: boolean;
  readonly byItself: readonly string[];
}

const table: ReadonlyMap<string, readonly Row[]> = tableOf();

function tableOf(): ReadonlyMap<string, readonly Row[]> {
  const gathered = new Map<string, Row[]>();
  for (const [programs, text] of Object.entries(rows))
    for (const program of programs.split(' ')) gathered.set(program, [...(gathered.get(program) ?? []), rowOf(text.split(' '))]);
  return gathered;
}

function rowOf(words: readonly string[]): Row {
  return {
    options: new Set(words.filter((word) => word.startsWith('-'))),
    operand: words.find((word) => word.startsWith('operand'))?.slice('operand:'.length) ?? null,
    isInput: words.includes('input'),
    byItself: words.filter((word) => word.startsWith('self:')).map((word) => word.slice('self:'.length)),
  };
}

/** The files that a program would do what they say, and what stands for one: a name of its input, the output of a command. */
export function programFiles(name: string, args: readonly Argument[]): readonly Argument[] {
  return (table.get(name) ?? []).flatMap((row) => filesOf(row, args));
}

function filesOf(row: Row, args: readonly Argument[]): readonly Argument[] {
  const found = row.byItself.map(known);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? known('');
    // `-sf FILE` ends in the option that takes it.
    if (row.options.has(arg.text) || (/^-[a-zA-Z]{2,}$/.test(arg.text) && row.options.has(`-${arg.text.at(-1)}`))) {
      const value = args[++at];
      if (value !== undefined) found.push(value);
      continue;
    }
    const attached = attachedTo(arg, row.options);
    if (attached !== null) found.push(attached);
    else if (row.operand !== null && arg.text.endsWith(row.operand) && !/^[-+]/.test(arg.text) && (arg.text !== '' || arg.computed))
      found.push(arg);
  }
  return found;
}

/** `-fFILE`, `--file=FILE`. */
function attachedTo(arg: Argument, options: ReadonlySet<string>): Argument | null {
  const [, long, value = ''] = /^(--?[\w-]{2,})=([\s\S]*)$/.exec(arg.text) ?? [];
  if (long !== undefined && options.has(long)) return { ...arg, text: value };
  const short = arg.text.slice(0, 2);
  return /^-[a-zA-Z]./.test(arg.text) && options.has(short) ? { ...arg, text: arg.text.slice(2) } : null;
}

/** Does it do what is written to its standard input? */
export function takesCommands(name: string): boolean {
  return table.get(name)?.some(({ isInput }) => isInput) === true;
}

/** Names of the standard input, or of what another command prints. */
export function isInputName({ text, known: isKnown }: Argument): boolean {
  return text === '-' || /^\/(?:dev\/(?:stdin|fd\/|tty)|proc\/[^/]+\/fd\/)/.test(posix.normalize(text)) || (text === '' && !isKnown);
}

/** What a program takes for "have a shell do this" where it reads commands or a document. */
const ESCAPES: readonly (readonly [programs: RegExp, escape: RegExp])[] = [
  [/^(?:psql|mysql|mariadb)$/, /\\!|\\o\s{0,9}\||\\copy[^\n]{0,500}program|\bprogram\s{0,9}'|^\s{0,9}system\s/im],
  [/^sqlite3$/, /^\s{0,9}\.(?:shell|system|load|import\s{1,9}["']?\||once\s{1,9}["']?\||output\s{1,9}["']?\|)/m],
  [
    /^(?:ed|red|ex|vim?|nvim|view|rvim|ftp|tftp|sftp|telnet|lftp|dc|gnuplot|mail|mailx|mutt|fdisk|ginsh|crash|ispell|psftp|tasksh|tdbtool|ncftp|asterisk)$/,
    /^[^\n]{0,80}!/m,
  ],
  [/^(?:gnuplot|octave|maxima|gp|bpftrace|stap)$/, /system|popen|shell|exec/],
  [/^m4$/, /syscmd/],
  [/^(?:bconsole|hping3|jtag|scanmem)$/, /\b(?:exec|shell)\b/],
  [/^pic$/, /^\s{0,9}sh\s/m],
  [/^(?:groff|troff|nroff)$/, /\.\s{0,9}(?:sy|pso|open|pi)\b/],
];

/** May one of those programs come to start another, by what the words of the script say? */
export function escapesIn(names: ReadonlySet<string>, texts: readonly string[]): boolean {
  return ESCAPES.some(([programs, way]) => [...names].some((name) => programs.test(name)) && texts.some((text) => way.test(text)));
}
