/** A bug in the middle of a run: the report shows what a terminal would obey, names the trace, and the trace holds all up to there. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshHome, type Home, programPath, withEye } from './eye.js';

/** A module that makes the program fall at `when`; its path. */
function fallingAt(home: Home, when: string): string {
  const path = join(home.folder, 'fall.mjs');
  const fall = `() => { throw new Error('boom \\u001b]0;TITLE\\u0007'); }`;
  writeFileSync(path, when.replace('FALL', fall));
  return path;
}

const shown = 'boom ␛]0;TITLE␇';

test.each(['exec --direct', '--plain --direct'])(
  '%s names the trace',
  async (mode) => {
    const home = freshHome();
    try {
      // Once the run has begun to write its trace.
      const falling = fallingAt(
        home,
        `import { statSync } from 'node:fs';
      setInterval(() => { if ((statSync('t.jsonl', { throwIfNoEntry: false })?.size ?? 0) > 0) (FALL)(); }, 1);`,
      );
      const args = ['--import', falling, programPath(), ...mode.split(' '), '--trace', 't.jsonl'];
      const piped = { input: 'how full is the disk?\n', encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(process.execPath, args, { env: home.env, cwd: home.folder, ...piped });
      expect(stderr).toContain('buddy-tui: this is a bug:\n');
      expect(stderr).toContain(shown);
      expect(stderr).toContain(`What happened is in the trace ${join(home.folder, 't.jsonl')}\n`);
      expect(status).toBe(70);
    } finally {
      await home.dispose();
    }
  },
  60_000,
);

test('the dashboard names it too, and what was typed last is in it', () =>
  withEye(async (eye, home) => {
    const falling = fallingAt(home, `process.on('SIGUSR2', FALL);`);
    await eye.start('--trace t.jsonl', undefined, `--import ${falling}`);
    await eye.type('qqq');
    await eye.sees('> qqq');
    process.kill(Number(readFileSync(join(home.folder, 'pid'), 'utf8')), 'SIGUSR2');
    const screen = await eye.sees(/this is a bug[\s\S]*READY>/);
    expect(screen).toContain(shown);
    expect(screen).toContain(`What happened is in the trace ${join(home.folder, 't.jsonl')}`);
    const typed = readFileSync(join(home.folder, 't.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"kind":"input"') && line.includes('"text":"q"'));
    expect(typed).toHaveLength(3);
  }));
