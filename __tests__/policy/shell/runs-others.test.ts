/** Programs that are known for running others: a sample of each (in runs-others.json) is denied, or asked about for how it is built. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeShell } from '../../../lib/policy/shell/judge.js';

const samples = JSON.parse(readFileSync(join(process.cwd(), '__tests__/policy/shell/runs-others.json'), 'utf8')) as Readonly<
  Record<string, string>
>;
const corpora = join(process.cwd(), '../shared/corpora');

/** They start another program only when a person presses keys in them, or by a file that was there before. */
const BY_KEYS = ['ansible-test', 'iftop', 'joe', 'loginctl', 'minicom', 'ncdu', 'pg', 'top'];
/** What they install or run is their purpose: the policy decides about it. The name in the sample is seen all the same. */
const BY_PURPOSE = ['ksshell', 'opkg', 'pkg', 'plymouth', 'setlock', 'task', 'zic'];

test('all but those that only a person can steer are known by how they run another program', () => {
  const unseen = Object.entries(samples).filter(([, command]) => {
    const named = judgeShell(command, { denylist: ['evilcmd'], mode: 'all' }).decision;
    return named !== 'deny' && judgeShell(command, { denylist: [], mode: 'all' }).decision === 'run';
  });
  expect(unseen.map(([name]) => name).filter((name) => !BY_KEYS.includes(name))).toEqual(BY_PURPOSE);
});

const names = join(corpora, 'gtfobins-names.tsv');
(existsSync(names) ? test : test.skip)('../shared/corpora/gtfobins-names.tsv: each that can run something has a sample', () => {
  const running = readFileSync(names, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, kinds = '']) => /shell|command|library-load/.test(kinds))
    .map(([name = '']) => name);
  expect(running.length).toBeGreaterThan(200);
  expect(running.filter((name) => samples[name] === undefined)).toEqual([]);
});

const injections = join(corpora, 'patt/Command Injection/Intruder');
(existsSync(injections) ? test : test.skip)('../shared/corpora/patt: what is injected behind a harmless command is judged with it', () => {
  const denied = ['cat', 'id', 'whoami', 'ls', 'ping', 'netstat', 'ifconfig', 'ipconfig', 'dir', 'net', 'uname', 'sleep', 'wget', 'curl'];
  for (const list of ['command_exec.txt', 'command-execution-unix.txt']) {
    const lines = readFileSync(join(injections, list), 'utf8').split('\n');
    expect(lines.length).toBeGreaterThan(50);
    // Only what bash would come to run a denied program by: a separator or a substitution, and its name behind it.
    const running = lines.filter((line) =>
      new RegExp(`^(?:;|\\||\\|\\||&|&&|\\$\\(|\`)\\s{0,3}(?:/[a-z/]{0,20}/)?(?:${denied.join('|')})\\b`).test(line),
    );
    expect(running.length).toBeGreaterThan(5);
    const missed = running.filter((line) => judgeShell(`echo a${line}`, { denylist: denied, mode: 'all' }).decision === 'run');
    expect([list, missed]).toEqual([list, []]);
  }
});
