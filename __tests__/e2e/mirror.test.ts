/** The mirror scrolled back, in the real program on real tmux. */

import { jest } from '@jest/globals';
import { withEye } from './eye.js';

// Each wait inside has its own limit and says what it saw.
jest.setTimeout(60_000);

test('`seq 1000` is read from its start while the pane goes on, and live again', () =>
  withEye(async (eye) => {
    await eye.start();
    await eye.line('!seq 1000');
    await eye.sees(/│1000 /);
    await eye.press('Tab', 'Tab');
    await eye.sees('PgUp scroll back');
    await eye.press('PageUp');
    await eye.sees(/pane shared · +\d+ lines up +· idle/);
    await eye.press('Home', 'Down');
    await eye.sees(/ lines up +· idle/);
    const start = await eye.sees(/│1 +[│┃][\s\S]*│2 +[│┃]/);
    expect(start).not.toMatch(/│1000 /);
    await eye.press('End');
    await eye.sees(/pane shared · idle[\s\S]*│1000 /);
    await eye.type('i');
    await eye.leave();
    await eye.sees(/READY> *$/m);
  }));
