/** A trace is a fixture: its events, given to the reducer again, make the same screen. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowText } from '../../lib/base/style.js';
import { Trace, type TraceLine, traced } from '../../lib/runtime/trace.js';
import { createComposer } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { initialState, type State } from '../../lib/view/state.js';
import { parseTheme } from '../../lib/view/theme.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const start = (): State =>
  initialState({ size: { cols: 100, rows: 30 }, theme: parseTheme(readFileSync('themes/terminal.json', 'utf8')), version: '0', nowMs: 0 });
const picture = (state: State) =>
  createComposer()(state)
    .parts.flatMap((part) => part.rows.map((row) => `${part.rect.x},${part.rect.y} ${rowText(row)}`))
    .join('\n');

test('live and replayed are the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(
    path,
    (text) => text,
    () => undefined,
  );
  const bench = await startRuntime(
    [{ text: 'I look.', calls: [shellCall('c', 'df -h')] }, { text: 'It is **80 %** full.' }],
    fakeTarget(() => exited('/dev/sda1 80%')),
  );
  let live = start();
  const port = traced(bench.runtime, trace, () => bench.clock.now());
  port.onEvent((envelope) => {
    live = reduce(live, { type: 'runtime', envelope });
  });
  port.send({ type: 'prompt.submit', text: 'how full?' });
  await bench.seen('approval.requested');
  bench.answer('once');
  await bench.seen('task.ended');
  trace.close();

  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine);
  rmSync(folder, { recursive: true });
  let replayed = start();
  for (const line of lines) {
    if (line.kind !== 'event') continue;
    const { seq, tsMs, event } = line;
    if (event.type === 'pane.screen' && event.screen === null) continue;
    replayed = reduce(replayed, { type: 'runtime', envelope: { seq, tsMs, event } });
  }
  expect(picture(replayed)).toBe(picture(live));
  expect(picture(live)).toContain('run_shell');
  expect(picture(live)).toContain('80 %');
});
