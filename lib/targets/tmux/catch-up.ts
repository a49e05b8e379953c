/** What happened in a pane while nobody listened: its command's end from the status file, its output from the pane's rows. */

import { basename } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { BuddyError } from '../../base/errors.js';
import { settledWithin } from '../../base/settled.js';
import type { CommandRun } from '../command-run.js';
import { missedOutput } from '../output/missed-output.js';
import type { Place } from '../places/place.js';
import { listPanes, type PaneStatus, parsePaneStatus } from './pane-status.js';
import type { Session } from './session.js';
import type { ShellPane } from './shell-pane.js';

/** Rows of the pane in which missed output is looked for, and bytes of known output that it is looked for with. */
const RECOVERED_LINES = 5000;
const RECOVERED_BYTES = 4096;
/** Between the status file and the last bytes of a command. */
const LAST_WORDS_MS = 1000;

export interface CatchUp {
  readonly place: Place;
  readonly clock: Clock;
  /** Attached again. */
  readonly session: Session;
  readonly paneId: string;
  /** The private files of the pane. */
  readonly folder: string;
  readonly pane: ShellPane;
  /** The pane's shell program. */
  readonly program: string;
  /** What the pane is taken for when nothing but that program is in the foreground. */
  readonly waiting: 'prompt' | 'unknown';
  /** Called when all that the pane printed so far is known: what comes over the channel from now on is new. */
  live(): void;
}

/** Brings `pane` and its command up to date; answers what tmux knows of it, null when the pane is gone. Throws `target.lost`. */
export async function catchUp({
  place,
  clock,
  session,
  paneId,
  folder,
  pane,
  program,
  waiting,
  live,
}: CatchUp): Promise<PaneStatus | null> {
  const { run } = pane;
  const before = await toldEnd(place, folder);
  let status: PaneStatus | null = null;
  session.channel
    .request(listPanes(session.name), ({ lines }) => {
      status = lines.map(parsePaneStatus).find((line) => line?.pane === paneId) ?? null;
    })
    .catch(() => undefined);
  await session.channel.request(`capture-pane -p -J -S -${RECOVERED_LINES} -t ${paneId}`, ({ lines }) => {
    live();
    if (run === null || pane.run !== run || !(run.hasBegun || before.id === run.id)) return;
    const ended = before.id === run.id && before.exitCode !== null;
    const { cursorX, cursorY, rows } = status ?? { cursorX: 0, cursorY: 0, rows: 1 };
    fill(run, lines, ended && cursorX > 0, rows - 1 - cursorY);
  });
  if (status === null) return null;
  const after = await toldEnd(place, folder);
  if (run === null) regain(pane, status, program, waiting);
  else if (pane.run === run && after.id === run.id) {
    pane.recovered('running');
    if (after.exitCode !== null) {
      // Its last words may still be on the way.
      if (before.exitCode === null) await settledWithin(run.ended, LAST_WORDS_MS, clock);
      if (pane.run === run) pane.missedEnd(after.exitCode);
      regain(pane, status, program, waiting);
    }
  }
  return status;
}

/** Tells `pane` the end of its command when only its mark was missed. Throws `target.lost`. */
export async function learnEnd(place: Place, folder: string, pane: ShellPane): Promise<void> {
  const { run } = pane;
  if (run === null) return;
  const { id, exitCode } = await toldEnd(place, folder);
  if (pane.run === run && id === run.id && exitCode !== null) pane.missedEnd(exitCode);
}

/** What the status file says: the command that began last, and its exit code when it has ended. Throws `target.lost`. */
async function toldEnd(place: Place, folder: string): Promise<{ readonly id: string; readonly exitCode: number | null }> {
  const text = await place.readText(`${folder}/status`);
  if (text === null) throw new BuddyError('target.lost', 'the status file cannot be read', { retryable: true });
  const [id = '', code] = text.trim().replace('#', '').split(' ');
  return { id, exitCode: code === undefined ? null : Number(code) };
}

/** Gives `run` the output that it printed meanwhile, as far as the pane still shows it. */
function fill(run: CommandRun, lines: readonly string[], atPrompt: boolean, rowsBelow: number): void {
  const missed = missedOutput(run.log.end(RECOVERED_BYTES).toString('utf8'), lines, atPrompt, rowsBelow);
  if (!missed.complete) run.log.gap();
  run.output(Buffer.from(missed.text.replaceAll('\n', '\r\n'), 'utf8'));
}

/** No command of ours runs: the shell waits, or something that a person started is there. A prompt that was heard stands. */
function regain(pane: ShellPane, status: PaneStatus, program: string, waiting: CatchUp['waiting']): void {
  if (pane.run !== null || status.dead) return;
  const phase = status.program === basename(program) ? waiting : 'running';
  if (pane.phase !== phase) pane.recovered(phase);
}
