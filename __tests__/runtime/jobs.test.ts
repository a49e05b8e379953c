/** The output of background jobs, as the person who looks at one is told it. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { Jobs } from '../../lib/runtime/jobs.js';
import type { CommandOutput } from '../../lib/targets/target.js';
import { FakeClock } from '../support/fake-clock.js';
import { outputOf } from '../support/fake-target.js';
import { until } from '../support/until.js';

function open() {
  const clock = new FakeClock();
  const events: RuntimeEvent[] = [];
  const jobs = new Jobs(clock, (event) => events.push(event));
  /** A job that has printed `printed.text`. */
  const start = (task: string) => {
    const printed = { text: '' };
    let finish: (output: CommandOutput) => void = () => undefined;
    jobs.follow(task, {
      pane: '%1',
      command: 'make',
      ended: new Promise((resolve) => {
        finish = (output) => resolve({ exitCode: 0, output });
      }),
      lastLine: () => '',
      tail: (bytes) => ({ text: printed.text.slice(-bytes), totalBytes: printed.text.length, id: 'o1' }),
      stop: () => Promise.resolve(true),
    });
    return { printed, finish: (output: CommandOutput) => finish(output) };
  };
  const told = () => events.flatMap((event) => (event.type === 'task.output' ? [[event.task, event.output]] : []));
  return { clock, jobs, start, told, events };
}

test('the watched one is told at once and whenever it has printed more, the others are not', async () => {
  const { clock, jobs, start, told } = open();
  const one = start('1');
  const two = start('2');
  one.printed.text = 'a';
  two.printed.text = 'b';
  await clock.advance(1000);
  expect(told()).toEqual([]);
  jobs.watch('1');
  await clock.advance(2000);
  expect(told()).toEqual([['1', { text: 'a', offset: 0, total: 1, id: 'o1' }]]);
  one.printed.text = 'x'.repeat(40_000);
  two.printed.text = 'bb';
  await clock.advance(500);
  expect(told().slice(1)).toEqual([['1', { text: 'x'.repeat(32_000), offset: 8000, total: 40_000, id: 'o1' }]]);
  jobs.watch(null);
  one.printed.text += 'y';
  await clock.advance(1000);
  expect(told()).toHaveLength(2);
  jobs.watch('9');
  expect(told()).toHaveLength(2);
});

test('its end is told before it has ended, and can be looked at afterwards, named only where the rest is kept', async () => {
  const { jobs, start, told, events } = open();
  const one = start('1');
  const two = start('2');
  one.printed.text = 'short';
  two.printed.text = 'long';
  jobs.watch('1');
  one.finish(outputOf('short'));
  two.finish({ ...outputOf('long'), id: 'o2' });
  await until('both have ended', () => events.filter((event) => event.type === 'task.ended').length === 2);
  const types = events.filter((event) => 'task' in event && event.task === '1').map((event) => event.type);
  expect(types).toEqual(['task.started', 'task.output', 'task.output', 'task.ended']);
  jobs.watch('2');
  expect(told().slice(1)).toEqual([
    ['1', { text: 'short', offset: 0, total: 5, id: null }],
    ['2', { text: 'long', offset: 0, total: 4, id: 'o2' }],
  ]);
});
