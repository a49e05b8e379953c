/** The built program: a session is gone back in, labelled and looked through; what ran and ended meanwhile is there when it goes on. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { until } from '../support/until.js';
import { answer, withEye } from './eye.js';

/** Two starts of the program in one test. */
jest.setTimeout(90_000);

test('/tree: back to the first prompt, another one instead, and the next start goes on in that branch; the list finds it by its label', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('what time is it?');
    await eye.sees(/✓ #1/);
    await eye.line('/label the clock');
    await eye.sees('Labelled: the clock');
    await eye.line('/tree');
    expect(await eye.sees('← here')).toMatch(/◆ It is .* #the clock ← here/);
    await eye.press('Home', 'Enter');
    const back = await eye.sees('another branch from here on');
    expect(back).toMatch(/^> what time is it\?/m);
    expect(back).not.toContain('I will look at the clock.');
    await eye.press('C-u');
    await eye.line('hello');
    await eye.sees(/✓ #2/);
    await eye.line('/tree');
    expect(await eye.sees('← here')).toMatch(/├─ ▾ ● hello[\s\S]*└─ ▾ ● what time is it\?[\s\S]*#the clock/);
    await eye.press('C-g');
    await eye.leave();
    await eye.sees(/Go on in this session/);
    await eye.line('clear');
    await eye.start('resume', 'newest first');
    await eye.sees('#the clock');
    await eye.type('clock');
    expect(await eye.sees('> clock')).toMatch(/│ ● hello/);
    await eye.press('Enter');
    const shown = await eye.sees('it goes on here');
    expect(shown).toMatch(/● hello/);
    expect(shown).not.toContain('I will look at the clock.');
    await eye.sees(/pane shared · idle/);
    await eye.leave();
    await eye.sees('READY>');
    expect(readdirSync(join(home.folder, '.buddyx', 'sessions')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
  }));

test('the list: renamed, then deleted after y, into the trash', () =>
  withEye(async (eye, home) => {
    const folder = join(home.folder, '.buddyx', 'sessions');
    await eye.start();
    await eye.line('hello');
    await eye.sees(/✓ #1/);
    await eye.line('/session new');
    await eye.sees('new session');
    await eye.line('/resume');
    await eye.sees('1 of 1');
    await eye.press('C-r');
    await eye.sees('new name:');
    await eye.type('greetings');
    await eye.press('Enter');
    await eye.sees('It is called greetings now.');
    await eye.press('C-d');
    await eye.sees('Delete "greetings"?');
    await eye.press('Enter');
    await eye.press('y');
    await eye.sees('there are no earlier sessions in this folder');
    expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toEqual([]);
    expect(readdirSync(join(folder, 'trash'))).toHaveLength(1);
    await eye.press('C-g');
    await eye.leave();
    await eye.sees('READY>');
  }));

test('a job that ended while nobody was there is in the list of tasks when the session goes on, after what was there before', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('run sh -c "until [ -e go ]; do sleep 0.1; done; echo over > over; exit 3" in background');
    await eye.sees(/approve on/);
    await answer(eye, 'y');
    await eye.sees(/✓ #1/);
    await eye.press('C-c');
    await eye.sees('again to quit');
    await eye.press('C-c');
    await eye.sees('leave · tmux session');
    await eye.press('k');
    await eye.sees(/Go on in this session/);
    writeFileSync(join(home.folder, 'go'), '');
    await until('it has ended', () => existsSync(join(home.folder, 'over')));
    await eye.line('clear');
    await eye.start('resume --last', 'it goes on here');
    const shown = await eye.sees(/✗ #1 job sh -c .*exit 3/);
    expect(shown).toMatch(/✓ earlier prompt run sh -c/);
    expect(shown).not.toContain('earlier job');
    expect(await eye.sees('job 1 ended')).toMatch(/ended with exit code 3/);
    await eye.leave();
    await eye.sees('READY>');
  }));
