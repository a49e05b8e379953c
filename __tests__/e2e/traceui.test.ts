/** The viewer of traces in a real terminal beside the program that writes one: it follows, stops where one looks, and takes up again. */

import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { answer, openEye, programPath, withEye } from './eye.js';

const asBefore = { alternate: '0', cursor: '1' };

test('a run is followed while it is written, from its first line to its last', () =>
  withEye(async (eye, home) => {
    const file = join(home.folder, 't.jsonl');
    writeFileSync(file, '');
    const viewer = await openEye(home, 120, 30);
    try {
      await viewer.line(`node ${programPath()} traceui ${file} --stream; echo "code $?"`);
      await viewer.sees(/Nothing was written yet[\s\S]*following/);
      await eye.start(`--trace ${file}`);
      await viewer.sees(/header +buddy-tui[\s\S]*pane\.opened/);
      await eye.line('how full is the disk?');
      await viewer.sees(/approval\.requested +run: df -h/);
      // Whoever looks at a line is not taken away from it.
      await viewer.press('g');
      await viewer.sees(/│kind: header[\s\S]*program: 0/);
      await answer(eye, 'y');
      await eye.sees(/The fullest file system is/);
      expect(await viewer.sees(/Esc follows/)).toMatch(/│kind: header/);
      await viewer.press('Escape');
      await viewer.sees(/task\.ended +completed/);
      await viewer.press('/');
      await viewer.type('tool.ended');
      await viewer.press('Enter');
      expect(await viewer.sees(/1 of 1 with “tool\.ended”/)).toMatch(/exitCode: 0/);
      await eye.leave();
      await eye.sees('READY>');
      await viewer.press('/', 'C-u', 'Enter');
      await viewer.sees(/lifecycle\.stopped[\s\S]* · following/);
      await viewer.press('q');
      await viewer.sees('code 0');
      expect({ alternate: await viewer.flag('alternate_on'), cursor: await viewer.flag('cursor_flag') }).toEqual(asBefore);
      // Nothing of it was typed into the file.
      expect(readFileSync(file, 'utf8')).not.toContain('traceui');
    } finally {
      viewer.close();
    }
  }));

test('a file that is cut begins anew; a window of any size shows what fits', () =>
  withEye(async (eye, home) => {
    const file = join(home.folder, 't.jsonl');
    const line = (text: string) =>
      `${JSON.stringify({ kind: 'view', tsMs: 1, atMs: 5, action: { type: 'notice', level: 'info', text } })}\n`;
    writeFileSync(file, line('old') + line('older'));
    await eye.line(`node ${programPath()} traceui ${file} --stream`);
    await eye.sees(/notice +older[\s\S]*2 of 2 · following/);
    truncateSync(file, 0);
    appendFileSync(file, line('new'));
    await eye.sees(/notice +new[\s\S]*1 of 1 · following/);
    appendFileSync(file, '{bad line\n');
    await eye.sees(/no line of a trace +\{bad line/);
    await eye.tmux('resize-window', '-t', 'e', '-x', '30', '-y', '5');
    await until('the small window shows the list', async () => /notice +new/.test(await eye.screen()) && !/│/.test(await eye.screen()));
    await eye.tmux('resize-window', '-t', 'e', '-x', '120', '-y', '30');
    await eye.sees(/│This is no line of a trace:/);
    await eye.press('C-z');
    await eye.sees(/Stopped/);
    expect(await eye.flag('alternate_on')).toBe('0');
    await eye.line('fg');
    await eye.sees(/│This is no line of a trace:/);
    await eye.press('C-c');
    await eye.sees('READY>');
  }));
