/** A session as a recording for asciinema: what was said and done in it, at the size that is asked for, without long waits. */

import { sessionDrawing } from '../../lib/modes/session-cast.js';
import type { PastEvent, RuntimeEvent } from '../../lib/protocol/events.js';
import { createHeadlessTerminal } from '../support/headless-terminal.js';
import { until } from '../support/until.js';
import { START_MS, theme } from '../view/support/picture.js';

const at = (minutes: number, event: RuntimeEvent): PastEvent => ({ tsMs: START_MS + minutes * 60_000, event });
const past: readonly PastEvent[] = [
  at(0, { type: 'task.started', task: '1', kind: 'prompt', text: 'how full?', pane: null }),
  at(1, { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'df -h' }),
  at(2, {
    type: 'tool.ended',
    ...{ task: '1', call: 'c', isError: false, text: '/ 80%', summary: 'exit 0', exitCode: 0, elapsedMs: 10 },
  }),
  at(90, {
    type: 'model.answered',
    task: '1',
    usage: null,
    message: { role: 'assistant', text: 'It is **80 %** full.', reasoning: '', calls: [], extras: {}, incomplete: false },
  }),
  at(91, { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null }),
];

test.each([
  [{ cols: 120, rows: 30 }, 120, 30],
  [{ cols: 20, rows: 5 }, 80, 24],
  [undefined, 100, 30],
])('drawn at %j', async (size, cols, rows) => {
  const draw = sessionDrawing(() => theme);
  const lines = await until('markdown is drawn as such', () => {
    const text = draw('my session', past, size);
    return text.includes('**80') ? null : text.trimEnd().split('\n');
  });
  const [header, ...events] = lines.map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 2, width: cols, height: rows, title: 'my session', timestamp: START_MS / 1000 });
  const terminal = createHeadlessTerminal(cols, rows);
  for (const [, kind, data] of events) if (kind === 'o') await terminal.feed(data);
  expect(terminal.text()).toMatch(/● how full\?[\s\S]*run_shell +df -h[\s\S]*It is 80 % full\./);
  expect(terminal.text()).not.toMatch(/pane|starting/);
  expect(events.at(-1)[0]).toBeLessThanOrEqual(8);
  expect(events.filter(([, kind]) => kind === 'm').map(([, , text]) => text)).toEqual(['how full?']);
  terminal.dispose();
});
