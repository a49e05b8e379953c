/** One run of random happenings from a seed; it throws at the first thing that is not right, with what led there. */

import { titleBytes } from '../../../lib/tui/notify.js';
import { windowTitle } from '../../../lib/view/attention.js';
import { compose } from '../../../lib/view/compose.js';
import type { EditorMode } from '../../../lib/view/editor/model.js';
import { createLayoutMemory } from '../../../lib/view/layout-memory.js';
import type { State } from '../../../lib/view/state.js';
import { picture } from '../../view/support/picture.js';
import { createDashboard, createSurface } from './dashboard-under-test.js';
import { type Happening, nextHappening } from './happenings.js';
import { checkBytes, checkCursor, checkFresh, checkReading, createCellCheck, readPlace } from './invariants.js';
import { createRandom } from './random.js';

const depths = ['truecolor', '256', '16', 'mono'] as const;
/** These cost as much as a hundred frames. */
const COSTLY_EVERY = 80;
const TOLD = 6;

function checkSame(seen: string, forgotten: string): void {
  if (seen === forgotten) return;
  const other = forgotten.split('\n');
  const y = seen.split('\n').findIndex((line, i) => line !== other[i]);
  throw new Error(`with no memory of layouts row ${y} is\n${other[y]}\nand not\n${seen.split('\n')[y]}`);
}

/** Runs `count` happenings. */
export function fuzz(seed: number, count: number, editorMode: EditorMode, lex: State['lex']): void {
  const random = createRandom(seed);
  const size = random.one([
    { cols: 100, rows: 30 },
    { cols: 160, rows: 45 },
    { cols: 60, rows: 24 },
  ]);
  const options = {
    size,
    colorDepth: depths[seed % depths.length] ?? 'truecolor',
    editorMode,
    lex,
  } as const;
  const dashboard = createDashboard(options);
  const fresh = createSurface(size, options.colorDepth);
  const cells = createCellCheck(dashboard.surface.terminal);
  const last: Happening[] = [];
  let at = 0;
  let frames = 0;
  try {
    for (; at < count; at += 1) {
      const happening = nextHappening(random, dashboard.state.size, dashboard.nowMs);
      last.push(happening);
      if (last.length > TOLD) last.shift();
      const before = dashboard.state;
      const read = readPlace(before);
      const isMoved = dashboard.apply(happening);
      const { state } = dashboard;
      // Who goes on from another place reads another conversation.
      const isOther = happening.kind === 'event' && happening.event.type === 'session.branched';
      if (!isMoved && !isOther) checkReading(before, state, read);
      // As the program does, several events of the runtime become one frame.
      if (happening.kind === 'event' && random.rarely(2)) continue;
      const { frame, bytes } = dashboard.draw();
      frames += 1;
      checkBytes(bytes);
      cells.check(frame, bytes, frames % COSTLY_EVERY === 0);
      checkCursor(state, frame, dashboard.surface.terminal);
      if (!/^\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x1b\\$/u.test(titleBytes(windowTitle(state)))) throw new Error('the title holds a control');
      if (frames % COSTLY_EVERY !== 0) continue;
      checkFresh(frame, dashboard.surface.terminal, fresh);
      // Drawn with no memory of anything, it must be the same.
      const forgotten = picture(compose({ ...state, layouts: createLayoutMemory() }, state.theme)).join('\n');
      checkSame(picture(frame).join('\n'), forgotten);
    }
  } catch (thrown) {
    const told = last.map((one) => JSON.stringify(one).slice(0, 400)).join('\n');
    throw new Error(`seed ${seed}, happening ${at}: ${thrown instanceof Error ? thrown.stack : thrown}\nthe last ones:\n${told}`);
  } finally {
    dashboard.surface.terminal.dispose();
    fresh.terminal.dispose();
  }
}

const PER_SEED = 1000;

/** The runs that are wanted (`npm run fuzz -- SEED COUNT` says), or `first` and the nine after it: seeds with their counts. */
export function runsFrom(first: number): readonly (readonly [seed: number, count: number])[] {
  const wanted = /^(\d+) (\d+)$/.exec(process.env['BUDDY_FUZZ'] ?? '');
  const count = Number(wanted?.[2] ?? 10 * PER_SEED);
  const runs = Math.ceil(count / PER_SEED);
  return Array.from({ length: runs }, (_, i) => [Number(wanted?.[1] ?? first) + i, Math.min(PER_SEED, count - i * PER_SEED)]);
}
