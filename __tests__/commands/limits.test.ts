/** `/limits`: what is written, what is sent, and what is said of a number that cannot be. */

import { runSlash, slashCommands } from '../../lib/commands/index.js';
import { limitRows } from '../../lib/protocol/limits.js';
import { following, startedEvent, stateAfter } from '../view/support/picture.js';

const state = () => stateAfter(120, 30, [startedEvent()], { commands: slashCommands });

test.each([
  ['/limits', { type: 'limits.tell' }],
  ['/limits list', { type: 'limits.tell' }],
  ['/limits cost 2', { type: 'limits.set', limit: 'cost', value: 2 }],
  ['/limits cost 0.5', { type: 'limits.set', limit: 'cost', value: 0.5 }],
  ['/limits minutes off', { type: 'limits.set', limit: 'minutes', value: 0 }],
  ['/limit retries default', { type: 'limits.set', limit: 'retries', value: null }],
  ['/limits  requests   40', { type: 'limits.set', limit: 'requests', value: 40 }],
])('%s', (line, command) => expect(runSlash(line, state()).sends).toEqual([command]));

test.each([
  ['/limits money 2', 'There is no limit "money"; there are requests, minutes, tokens, cost,'],
  ['/limits cost', 'Write for example /limits cost 2; off takes it away'],
  ['/limits cost 1 2', 'Write for example /limits cost 2; off'],
  ['/limits requests off', 'requests is a number of requests from 1 to 1000.'],
  ['/limits requests 1e3', '"1e3" is no number.'],
  ['/limits requests -1', '"-1" is no number.'],
  ['/limits silence 0.5', 'silence is a number of seconds from 1 to 86400.'],
])('%s says what to write', (line, text) => {
  const { notices, sends } = runSlash(line, state());
  expect([sends, notices[0]?.text]).toEqual([[], expect.stringContaining(text)]);
});

test('what is told stands in the conversation', () => {
  const limits = [{ limit: 'cost', value: 2, configured: 0, used: 0.1234 }] as const;
  const last = following(state(), { type: 'limits.told', limits }).transcript;
  expect(JSON.stringify(last)).toContain(`cost  $2  ${limitRows.cost.says}; used: $0.12  limits.session_cost = off; this session only`);
});
