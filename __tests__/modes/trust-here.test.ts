/** The answer to the question about a folder ends with the program: nobody waits for the lock of another one. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import type { Options } from '../../lib/cli-options.js';
import { Answers } from '../../lib/modes/answered-effects.js';
import { configOf } from '../../lib/modes/assembly-config.js';
import type { Effect } from '../../lib/view/effects.js';
import { type Action, reduce } from '../../lib/view/reducer.js';
import { initialState, type State } from '../../lib/view/state.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { theme } from '../view/support/picture.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-trust-here-')));
  mkdirSync(join(root, 'repo'));
  mkdirSync(join(root, '.local/state/buddy'), { recursive: true });
  writeFileSync(join(root, 'repo/buddy.toml'), '[agent]\nmax_iterations = 3\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a yes that waits for another program is given up when this one is left', async () => {
  const clock = new FakeClock();
  const host = {
    ...{ env: {}, homeDir: root, cwd: join(root, 'repo'), pid: process.pid, hostname: 'here', uid: process.getuid?.() ?? null },
    clock,
  } as unknown as Host;
  const options = { color: true } as Options;
  const config = await configOf(host, options);
  let state: State = initialState({ size: { cols: 80, rows: 24 }, theme, version: '0', nowMs: 0 });
  const told: Action[] = [];
  const dispatch = (action: Action) => {
    told.push(action);
    state = reduce(state, action);
  };
  const carryOut = (effect: Effect) => void effect;
  const answers = new Answers({ host, options, config, state: () => state, dispatch, carryOut });
  await answers.answer({ type: 'trust', answer: 'look' });
  const store = join(root, '.local/state/buddy/trust.json');
  writeFileSync(`${store}.lock`, `${process.pid} here another`);
  const answered = answers.answer({ type: 'trust', answer: 'trust' });
  await until('it waits for the lock', () => clock.pending > 0);
  const before = told.length;
  answers.close();
  await answered;
  expect(told.length).toBe(before);
  expect(clock.pending).toBe(0);
  expect(existsSync(store)).toBe(false);
});
