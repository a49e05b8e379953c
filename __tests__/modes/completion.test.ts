/** Completion asked for in real shells, by a person's Tab key. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine } from '../../lib/cli.js';
import { completionShells, flagRows, subcommandRows } from '../../lib/cli-options.js';
import { bundledProfiles } from '../../lib/config/profiles.js';
import { completionScript } from '../../lib/modes/completion.js';
import { type PtyProgram, startOnPty } from '../support/pty.js';

let home: string;
let shell: PtyProgram | null = null;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-completion-'));
  mkdirSync(join(home, '.config', 'buddy'), { recursive: true });
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.config', 'buddy', 'buddy.toml'), '[models.fast]\napi = "demo"\n[models."gpt-5.1"]\napi = "demo"\n');
  writeFileSync(join(home, 'other.toml'), '[models.another]\n');
  writeFileSync(join(home, '.ssh', 'config'), 'Host web-01 web-02\n  HostName 192.0.2.1\nHost *.example !no\nHost=db-host\n');
  for (const name of completionShells) writeFileSync(join(home, `script.${name}`), completionScript(name));
});
afterEach(() => {
  shell?.dispose();
  shell = null;
  rmSync(home, { recursive: true, force: true });
});

const starts: Readonly<Record<(typeof completionShells)[number], readonly string[]>> = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i'],
  fish: ['--no-config', '-i'],
};
const before = { bash: '', zsh: 'autoload -Uz compinit; compinit -u -D; ', fish: '' } as const;

test.each(completionShells)(
  'in %s Tab completes subcommands, flags, profiles, hosts and words',
  async (name) => {
    const { XDG_CONFIG_HOME: _config, ...env } = process.env as Record<string, string>;
    shell = startOnPty('env', ['-u', 'XDG_CONFIG_HOME', name, ...starts[name]], { cwd: home, env: { ...env, HOME: home }, cols: 120 });
    shell.send(`${before[name]}source ${home}/script.${name}; echo rea""dy\r`);
    await shell.until(/^ready/m);
    const cases: readonly (readonly [string, RegExp])[] = [
      ['buddy-tui doc', /buddy-tui doctor/],
      ['buddy-tui exec --dang', /exec --dangerously-auto-approve/],
      ['buddy-tui -m fa', /-m fast/],
      ['buddy-tui --model=gp', /--model=gpt-5\.1/],
      ['buddy-tui -c other.toml -m anot', /-m another/],
      ['buddy --ssh db', /--ssh db-host/],
      ['buddy completion fi', /completion fish/],
      ['buddy --trace othe', /--trace other\.toml/],
      ['buddy traceui oth', /traceui other\.toml/],
      ['buddy trace summary oth', /summary other\.toml/],
    ];
    for (const [typed, screen] of cases) {
      shell.send(`${typed}\t`);
      await shell.until(screen);
      // Erases the line.
      shell.send('\x15');
    }
  },
  60_000,
);

/** What fish offers for a line, without a terminal. */
function offered(line: string): readonly string[] {
  const script = `source ${home}/script.fish; complete -C ${JSON.stringify(line)}`;
  const printed = execFileSync('fish', ['--no-config', '-c', script], {
    cwd: home,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
  });
  return printed.split('\n').flatMap((entry) => (entry === '' ? [] : [entry.split('\t')[0] ?? '']));
}

/** What bash offers for words. */
function offeredByBash(...words: readonly string[]): readonly string[] {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _buddy_tui; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const all = ['--norc', '-c', script, 'bash', `${home}/script.bash`, ...words];
  const printed = execFileSync('bash', all, { cwd: home, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: home } });
  return printed.split('\n').filter((entry) => entry !== '');
}

test('every flag and subcommand of the tables is offered, where it belongs', () => {
  const long = (only: string | null) =>
    flagRows
      .filter((flag) => flag.only === undefined || flag.only.some((name) => name === only))
      .map(({ name, negative }) => `--${negative === undefined ? name : `no-${name}`}`)
      .concat('--help', '--version')
      .sort();
  const commands = subcommandRows.map(({ usage }) => usage.split(' ')[0] ?? '').filter((name) => name !== '$0');
  expect([...offered('buddy-tui ')].sort()).toEqual([...commands].sort());
  expect([...offeredByBash('buddy-tui', '')].sort()).toEqual([...commands].sort());
  for (const command of ['exec', 'doctor']) {
    expect([...offered(`buddy-tui ${command} --`)].sort()).toEqual(long(command));
    expect([...offeredByBash('buddy-tui', command, '--')].sort()).toEqual(long(command));
  }
  expect([...offered('buddy-tui --')].sort()).toEqual(long(null));
  expect(offered('buddy-tui --ssh web')).toEqual(['web-01', 'web-02']);
  expect(offeredByBash('buddy-tui', '--ssh', '=', 'web')).toEqual(['web-01', 'web-02']);
  expect(offeredByBash('buddy-tui', '--base-url', '')).toEqual([]);
  for (const command of ['traceui', 'replay']) {
    expect(offered(`buddy-tui ${command} oth`)).toEqual(['other.toml']);
    expect(offeredByBash('buddy-tui', command, 'oth')).toEqual(['other.toml']);
  }
  expect(offeredByBash('buddy-tui', 'replay', '--sp')).toEqual(['--speed']);
  expect(offeredByBash('buddy-tui', 'doctor', 'oth')).toEqual([]);
});

test('without a configuration the profiles are the bundled ones', () => {
  rmSync(join(home, '.config'), { recursive: true });
  expect(offeredByBash('buddy-tui', '-m', '')).toEqual([...bundledProfiles.map(({ name }) => name), 'demo']);
});

test('the command line prints a script, and says which shells there are', async () => {
  const shellNamed = (...argv: string[]) => parseCommandLine(argv, '0.1.0', 80);
  for (const name of completionShells)
    expect(await shellNamed('completion', name)).toEqual({ kind: 'printed', text: completionScript(name), code: 0 });
  for (const argv of [['completion'], ['completion', 'tcsh']])
    expect(await shellNamed(...argv)).toMatchObject({
      text: 'buddy-tui: completion needs the name of a shell: bash, zsh, fish\nSee "buddy-tui help".\n',
      code: 2,
    });
});
