/** Short programs, and what they leave running. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../../lib/base/process.js';
import { until } from '../support/until.js';

test('a program that is cancelled is not waited for because of what it started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'process-'));
  const file = join(folder, 'pid');
  const abort = new AbortController();
  const script = `sleep 600 & echo $! >${file}.new && mv ${file}.new ${file}; wait`;
  const running = runProcess('sh', ['-c', script], { env: { PATH: process.env['PATH'] } }, abort.signal);
  const ended = running.catch((thrown: Error) => thrown.name);
  await until('it has started another program', () => existsSync(file));
  abort.abort();
  expect(await ended).toBe('AbortError');
  process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  rmSync(folder, { recursive: true });
});

test('no child can write on our terminal or ask by it: each is in a session of its own', async () => {
  const { stdout } = await runProcess(
    'sh',
    ['-c', 'echo $$ $(ps -o sid= -p $$); { echo x >/dev/tty; } 2>/dev/null || echo no terminal'],
    { env: { PATH: process.env['PATH'] } },
    new AbortController().signal,
  );
  expect(stdout).toMatch(/^(\d+) \1\nno terminal\n$/);
});
