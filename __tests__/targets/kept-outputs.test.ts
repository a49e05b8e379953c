/** Long outputs: shown at both ends, and all of it readable by offset, through tmux and without. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { CommandRun } from '../../lib/targets/command-run.js';
import { KeptOutputs } from '../../lib/targets/output/kept-outputs.js';
import type { OutputPiece } from '../../lib/targets/target.js';
import { never, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

/** Reads on and on from the beginning. */
async function readAll(read: (offset: number) => Promise<OutputPiece>): Promise<string> {
  let whole = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const piece: OutputPiece = await read(offset);
    whole += piece.text;
    offset = piece.next;
  }
  return whole;
}

test.each(['tmux', 'direct'] as const)('by %s: what was cut can be read on, to the byte', async (via) => {
  const { run, target } = await tests.start({ via });
  const outcome = await run("seq -f 'line %05g é' 1 20000");
  if (outcome.kind !== 'exited') throw new Error(JSON.stringify(outcome));
  const { id = '', truncated } = outcome.output;
  expect([truncated, id]).toEqual([true, 'o1']);
  const whole = await readAll((offset) => target.readOutput(id, { offset, limit: 7777 }, never));
  expect(whole).toBe(Array.from({ length: 20_000 }, (_, at) => `line ${String(at + 1).padStart(5, '0')} é\n`).join(''));
});

test('a piece ends neither in a character nor in a line end nor in an escape sequence', async () => {
  const { run, target } = await tests.start();
  const outcome = await run("for i in $(seq 6000); do printf '\\033[1;31mrow %d\\033[0m €\\n' $i; done");
  if (outcome.kind !== 'exited') throw new Error(JSON.stringify(outcome));
  const whole = await readAll((offset) => target.readOutput(outcome.output.id ?? '', { offset, limit: 101 }, never));
  expect(whole).toBe(Array.from({ length: 6000 }, (_, at) => `row ${at + 1} €\n`).join(''));
});

test('an output that was shown whole is not kept, and an unknown one is told', async () => {
  const { run, target } = await tests.start();
  expect(await run('echo short')).toMatchObject({ output: { truncated: false } });
  await expect(target.readOutput('o1', { offset: 0, limit: 10 }, never)).rejects.toMatchObject({ code: 'target.output' });
  await expect(target.readOutput('../x', { offset: 0, limit: 10 }, never)).rejects.toMatchObject({ code: 'target.output' });
});

test('kept in a private folder of this process, which is gone at the end; only the newest are kept', async () => {
  const outputs = new KeptOutputs(process.pid);
  const runs = Array.from({ length: 25 }, (_, at) => {
    const run = new CommandRun(`command ${at}`, `id${at}`, 0, () => undefined, outputs.open());
    run.begin();
    run.output(Buffer.alloc(100_000, 'x'));
    run.finish({ kind: 'exited', exitCode: 0 });
    return run;
  });
  const shown = { text: '', totalBytes: 100_000, totalLines: 1, truncated: true };
  const named = runs.map((run) => outputs.named(run.kept, true, shown).id);
  expect(named.slice(0, 5)).toEqual(Array(5).fill(undefined));
  expect(named.slice(5)).toEqual(Array.from({ length: 20 }, (_, at) => `o${at + 6}`));
  expect(await outputs.read('o25', { offset: 99_999, limit: 10 }, never)).toEqual({ text: 'x', size: 100_000, next: null });
  const folder = readdirSync('/tmp')
    .map((name) => `/tmp/${name}`)
    .find((path) => existsSync(`${path}/o25`) && readFileSync(`${path}/owner`, 'utf8') === `${process.pid}\n`);
  if (folder === undefined) throw new Error('no folder');
  expect([statSync(folder).mode & 0o777, statSync(`${folder}/o25`).mode & 0o777]).toEqual([0o700, 0o600]);
  await outputs.close();
  expect(existsSync(folder)).toBe(false);
});
