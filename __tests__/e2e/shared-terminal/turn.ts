/** Two at a time: floods in all columns at once are slower than a terminal may lag behind, on two cores and over ssh. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { until } from '../../support/until.js';

const PLACES = ['/tmp/buddy-test-turn-0', '/tmp/buddy-test-turn-1'];
const PATIENCE_MS = 900_000;

/** Takes a place; it answers which, or null. One whose process is gone is free. */
function take(): string | null {
  for (const place of PLACES) {
    try {
      mkdirSync(place);
      writeFileSync(`${place}/pid`, String(process.pid));
      return place;
    } catch {
      if (isLeft(place)) rmSync(place, { recursive: true, force: true });
    }
  }
  return null;
}

function isLeft(place: string): boolean {
  try {
    process.kill(Number(readFileSync(`${place}/pid`, 'utf8')), 0);
    return false;
  } catch (thrown) {
    // Made, but the process id is still to be written.
    return (thrown as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Runs `work` when fewer than two others do, in whatever process. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const place = await until('there is a place', take, PATIENCE_MS);
  try {
    return await work();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
