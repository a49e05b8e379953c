/** A trace of the real program, told by the real program: exit codes, sentences, and a file for its owner alone. */

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freshHome, type Home, programPath, withEye } from './eye.js';

/** What a run of the program prints, and its exit code. */
function run(home: Home, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programPath(), ...args], {
    env: home.env,
    cwd: home.folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('exec writes one, trace tells it; a second run comes behind the first; a bad line has its place told', async () => {
  const home = freshHome();
  try {
    const exec = ['exec', '--direct', '--dangerously-auto-approve', '--trace', 't.jsonl', 'how full is the disk?'];
    expect(run(home, ...exec)).toMatchObject({ status: 0 });
    const file = join(home.folder, 't.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(run(home, 'trace', 'summary', 't.jsonl')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^run of [\s\S]*\n1 turn · 2 answers[\s\S]*how full is the disk\?[\s\S]*run_shell +1/),
    });
    expect(run(home, 'trace', 'replay', 't.jsonl', '--turn', '1').stdout).toMatch(
      /You: how full[\s\S]*Tool run_shell: df -h[\s\S]*Ended: completed/,
    );
    expect(run(home, 'trace', 'context-evolution', 't.jsonl').stdout).toMatch(/1 +1 +1 +~[\s\S]*2 +1 +3 +~/);

    expect(run(home, ...exec)).toMatchObject({ status: 0 });
    expect(run(home, 'trace', 'summary', 't.jsonl').stdout).toMatch(/run of [^\n]*\nrun of [\s\S]*2 turns · 4 answers/);

    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
    appendFileSync(file, '{"kind":"event"}\n');
    expect(run(home, 'trace', 'summary', 't.jsonl')).toEqual({
      status: 2,
      stdout: '',
      stderr: `buddy-tui: t.jsonl:${lines + 1}: "tsMs" is no number\nbuddy-tui traceui shows a trace whatever is in it.\n`,
    });
    expect(run(home, 'trace', 'replay', 'none.jsonl', '--turn', '1')).toMatchObject({ status: 2 });
    // Without a terminal there is a sentence, and nothing is drawn.
    for (const mode of ['traceui', 'replay']) {
      expect(run(home, mode, 't.jsonl')).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining(`${mode} needs a terminal`),
      });
    }
    expect(run(home, 'replay', 't.jsonl', '--cast', 'a.cast')).toMatchObject({ status: 0 });
    expect(run(home, 'replay', 't.jsonl', '--cast', 'a.cast')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('it is there already'),
    });
    // One that there is no room for is not left behind half: it would look like a whole one.
    const tight = spawnSync(
      'bash',
      ['-c', `trap '' XFSZ; ulimit -f 1; exec "$@"`, 'sh', process.execPath, programPath(), 'replay', 't.jsonl', '--cast', 'b.cast'],
      {
        ...{ env: home.env, cwd: home.folder, encoding: 'utf8' },
      },
    );
    expect(tight).toMatchObject({ status: 2, stderr: expect.stringContaining('cannot write b.cast') });
    expect(existsSync(join(home.folder, 'b.cast'))).toBe(false);
    expect(JSON.parse(run(home, 'replay', 't.jsonl', '--cast', '-', '--size', '90x25').stdout.split('\n')[0] ?? '')).toMatchObject({
      ...{ version: 2, width: 90, height: 25 },
    });
  } finally {
    await home.dispose();
  }
}, 60_000);

test('what is typed into a pane that was taken over is not in it, and the screen is made again without it', () =>
  withEye(async (eye, home) => {
    const file = join(home.folder, 't.jsonl');
    await eye.start(`--trace ${file}`);
    await eye.press('F6');
    await eye.sees(/you have the keyboard/);
    await eye.line('read -s secret; echo "go"t it $?');
    await eye.sees(/read -s secret/);
    await eye.line('s3cretw0rd');
    await eye.sees(/got it 0/);
    await eye.press('F6');
    await eye.sees(/pane shared · idle[\s\S]*Enter send/);
    await eye.leave();
    await eye.sees('READY>');
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const keys = lines.flatMap(({ kind, input }) => (kind === 'input' && input.type === 'key' ? [input.key] : []));
    // Between the two there are no keys but those that did something to the screen, and none of them says which it was.
    const taken = keys.slice(keys.indexOf('f6') + 1, keys.lastIndexOf('f6'));
    expect(taken.filter((key) => key !== '•')).toEqual([]);
    expect(JSON.stringify(lines)).not.toMatch(/s3cret|w0rd/);
    expect(run(home, 'replay', file, '--cast', '-').stdout).toContain('you have the keyboard');
  }));
