/** Going on with a session that was kept: what happened in it meanwhile, and whether the shells in it still answer. */

import type { Clock } from '../../base/clock.js';
import { formatMoment } from '../../base/duration.js';
import { settledWithin } from '../../base/settled.js';
import type { CommandRun } from '../command-run.js';
import type { Shell } from '../shells/shell.js';
import type { KeptPane, KeptRecord } from './kept-record.js';
import type { ManagedPane } from './managed-pane.js';
import { cursorLine } from './pane-commands.js';
import type { Session } from './session.js';

export interface Continuation {
  readonly session: Session;
  readonly record: KeptRecord;
  /** Resumed from the record, in its order. */
  readonly panes: readonly ManagedPane[];
  readonly clock: Clock;
  readonly speech: Shell;
  readonly signal: AbortSignal;
  /** What runs there is known: from now on the panes can be told of. */
  told(): void;
  /** Asks tmux what it knows of the panes. */
  look(): Promise<void>;
}

/** A shell draws its prompt again at once when its terminal changes its size; tmux tells it within half a second. The rest is for a busy machine. */
const PROOF_MS = 6000;

/** What became of it. */
export interface Continued {
  /** What a person should be told. */
  readonly said: string;
  /** Commands of the earlier run that are over by now. */
  readonly ended: readonly { readonly pane: ManagedPane; readonly run: CommandRun }[];
}

/** Throws `target.lost`, or an AbortError. */
export async function continued(going: Continuation): Promise<Continued> {
  const { session, record, panes, signal } = going;
  const runs = panes.map((pane) => pane.shell?.run ?? null);
  for (const pane of panes) {
    await pane.catchUp(session, 'unknown');
    signal.throwIfAborted();
  }
  going.told();
  await Promise.all(panes.map((pane, at) => prove(going, pane, record.panes[at])));
  signal.throwIfAborted();
  await going.look();
  const ended = panes.flatMap((pane, at) => {
    const run = runs[at] ?? null;
    return run === null || run.end === null ? [] : [{ pane, run }];
  });
  const words = panes.map((pane, at) => paneWords(pane, runs[at] ?? null)).filter((text) => text !== '');
  return { said: [`Continues in the session that was kept at ${formatMoment(record.keptMs)}.`, ...words].join(' '), ended };
}

/**
 * Makes the shell show a prompt mark of ours. A shell with a line editor draws its prompt again in another size, with whatever stands
 * there half typed; nothing is pressed. For one without, Enter is pressed, but only when its prompt is as it was left.
 */
async function prove({ session, clock, speech, signal }: Continuation, pane: ManagedPane, kept: KeptPane | undefined): Promise<void> {
  const { shell } = pane;
  const isWaiting = shell?.phase === 'unknown';
  // Something may have ended without a word while the shell alone is in the foreground.
  if (shell === null || !(isWaiting || (shell.phase === 'running' && pane.foreground === ''))) return;
  const { cols, rows } = pane;
  const other = cols > 2 ? cols - 1 : cols + 1;
  for (const width of speech.marksStart ? [other, cols] : []) {
    const drawn = shell.promptDrawn();
    await session.channel.request(`resize-window -t ${pane.id} -x ${width} -y ${rows}`).catch(() => undefined);
    if (width === other || shell.phase !== 'unknown') await settledWithin(drawn, PROOF_MS, clock, signal);
  }
  if (signal.aborted || !isWaiting || speech.marksStart || kept === undefined || kept.promptLine === '') return;
  if ((await cursorLine(session.channel, pane.id)) !== kept.promptLine || shell.phase !== 'unknown') return;
  pane.paste(speech.enter);
  await settledWithin(shell.promptReached(), PROOF_MS, clock, signal);
}

function paneWords(pane: ManagedPane, run: CommandRun | null): string {
  const { shell } = pane;
  const command = run === null ? '' : `"${run.command.trim().split('\n', 1)[0] ?? ''}"`;
  const unheard = 'What waits at its prompt is not known: press Enter there (F6 takes it over), or give it our marks with /integrate.';
  const isUnknown = shell?.phase === 'unknown';
  if (run === null) {
    if (isUnknown) return unheard;
    return shell?.phase === 'running' ? `${pane.foreground === '' ? 'A command' : pane.foreground} is running there.` : '';
  }
  if (run.end === null) return `${command} is still running there.`;
  const how = run.end.kind === 'exited' ? `ended with exit code ${run.end.exitCode}` : 'has ended, and its exit code is not known';
  return [`${command} ${how}.`, ...(isUnknown ? [unheard] : [])].join(' ');
}
