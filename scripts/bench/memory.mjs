/** Resident memory of the whole program at its prompt. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { onPty, pause, privatePlace, root, round } from './measure.mjs';

const SETTLE_MS = 4000;

export async function measure() {
  const place = privatePlace();
  const program = await onPty(process.execPath, [join(root, 'bin', 'buddy-tui.js')], place.env);
  try {
    await program.seen(/\x1b\[2J[\s\S]*\x1b\[\?2026l/);
    await pause(SETTLE_MS);
    const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(program.pid)], { encoding: 'utf8' }));
    return { 'rss.idleMB': round(kilobytes / 1024) };
  } finally {
    await program.stop();
    place.dispose();
  }
}
