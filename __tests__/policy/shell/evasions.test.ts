/** The truth set: ways to run a program that bash was seen to run, and commands of every day; and a corpus of bash itself. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeShell } from '../../../lib/policy/shell/judge.js';

interface TruthSet {
  readonly samples: readonly { readonly cat: string; readonly cmd: string; readonly ran: boolean }[];
  readonly benign: readonly string[];
}

const corpora = join(process.cwd(), '../shared/corpora');
const truth = join(corpora, 'own/shell-evasions.json');
const bash = join(corpora, 'tree-sitter-bash-corpus/test/corpus');
const judged = (command: string, denylist: readonly string[]) => judgeShell(command, { denylist, mode: 'all' });

const withTruth = existsSync(truth) ? describe : describe.skip;
withTruth('../shared/corpora/own/shell-evasions.json', () => {
  const { samples, benign } = existsSync(truth) ? (JSON.parse(readFileSync(truth, 'utf8')) as TruthSet) : { samples: [], benign: [] };
  const real = samples.filter(({ ran }) => ran);

  test('none of the 178 ways that bash follows to a forbidden program runs unseen when everything is allowed', () => {
    expect(real).toHaveLength(178);
    expect(real.filter(({ cmd }) => judged(cmd, ['evilcmd']).decision === 'run')).toEqual([]);
  });

  test('the doubt is in how each is built, not in the name: those that are only asked about have another reason, too', () => {
    const asked = real.filter(({ cmd }) => judged(cmd, ['evilcmd']).decision === 'ask');
    expect(asked.filter(({ cmd }) => judged(cmd, []).decision === 'run')).toEqual([]);
  });

  test('of the 40 ordinary commands at most two are asked about', () => {
    const asked = benign.filter((command) => judged(command, ['evilcmd', 'rm -rf /', 'mkfs', 'reboot']).decision !== 'run');
    expect([benign.length, asked.length <= 2]).toEqual([40, true]);
  });
});

/** The scripts of one file: between its rulers and the trees that a parser should make of them. */
function scriptsIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split(/^=+\r?\n[^\n]*\r?\n=+\r?\n/m)
    .slice(1)
    .map((part) => part.split(/^---+\r?$/m)[0] ?? '')
    .filter((script) => script.trim() !== '');
}

const withBash = existsSync(bash) ? test : test.skip;
withBash('../shared/corpora/tree-sitter-bash-corpus: each script is judged, and one that cannot be read is asked about', () => {
  const scripts = readdirSync(bash).flatMap((name) => scriptsIn(join(bash, name)));
  expect(scripts.length).toBeGreaterThan(50);
  for (const script of scripts) {
    const { decision, reasons } = judged(script, ['evilcmd']);
    expect([script, ['run', 'ask', 'deny']]).toEqual([script, expect.arrayContaining([decision])]);
    // What is not simply run says why.
    if (decision !== 'run') expect([script, reasons]).not.toEqual([script, []]);
  }
});
