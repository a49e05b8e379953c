/** A trace that can be looked at from any of its moments: the screen after each line, and when in the playing it comes. */

import type { RuntimeEvent } from '../protocol/events.js';
import type { ReadLine } from '../runtime/trace-lines.js';
import type { State } from '../view/state.js';
import { blankScreen, type Drawing, type RecordedScreen, screenAfter } from './recorded-screen.js';
import { linesOfFile, readFileLine } from './trace-file.js';

/** Nobody waits longer for the next thing to happen (milliseconds); and between two runs in one file so long. */
const IDLE_MS = 2000;
/** Screens that are kept on the way, one for so many lines. */
const KEPT_EVERY = 128;

/** The moments of a trace. A line that is none, or that the screen cannot make anything of, is left out and counted. */
export class RecordedRun {
  /** Of each moment, when it comes in the playing (milliseconds from the start, idle times cut short). Never falls. */
  readonly times: readonly number[];
  /** When it was recorded (wall clock, milliseconds). */
  readonly startMs: number;
  /** The moments at which a prompt began, and its text. */
  readonly prompts: readonly { readonly moment: number; readonly text: string }[];
  readonly #lines: readonly ReadLine[];
  readonly #drawing: Drawing;
  readonly #kept: RecordedScreen[];
  /** The moment that was asked for last: most often the next one is its neighbour. */
  #last: { readonly moment: number; readonly screen: RecordedScreen };
  readonly #unread: number;
  /** Moments of which nothing could be made. */
  readonly #failed = new Set<number>();

  constructor(lines: readonly ReadLine[], drawing: Drawing, skipped = 0) {
    this.#lines = lines;
    this.#drawing = drawing;
    this.#unread = skipped;
    this.#kept = [blankScreen(drawing)];
    this.#last = { moment: -1, screen: blankScreen(drawing) };
    this.times = timesOf(lines);
    this.startMs = lines[0]?.tsMs ?? 0;
    this.prompts = lines.flatMap((line, moment) => {
      const event = line.kind === 'event' ? (line.event as RuntimeEvent) : null;
      return event?.type === 'task.started' && event.kind === 'prompt' ? [{ moment, text: event.text }] : [];
    });
  }

  /** How many there are. */
  get length(): number {
    return this.#lines.length;
  }

  /** How long the playing takes (milliseconds). */
  get durationMs(): number {
    return this.times.at(-1) ?? 0;
  }

  /** Lines that were left out so far. */
  get skipped(): number {
    return this.#unread + this.#failed.size;
  }

  /** The wall clock at that moment. */
  clockAt(moment: number): number {
    return this.#lines[moment]?.tsMs ?? this.startMs;
  }

  /** The screen after that moment; before the first one it is blank. */
  stateAt(moment: number): State {
    const known = this.#known(moment);
    let { screen } = known;
    for (let at = known.moment + 1; at <= moment; at++) {
      screen = this.#after(screen, at);
      const place = (at + 1) / KEPT_EVERY;
      if (Number.isInteger(place)) this.#kept[place] = screen;
    }
    this.#last = { moment, screen };
    return screen.state;
  }

  /** The nearest moment before that one, of those whose screen is at hand. */
  #known(moment: number): { readonly moment: number; readonly screen: RecordedScreen } {
    const place = Math.min(this.#kept.length - 1, Math.floor((moment + 1) / KEPT_EVERY));
    const screen = this.#kept[place] ?? blankScreen(this.#drawing);
    const kept = { moment: place * KEPT_EVERY - 1, screen };
    return this.#last.moment <= moment && this.#last.moment > kept.moment ? this.#last : kept;
  }

  #after(before: RecordedScreen, moment: number): RecordedScreen {
    const line = this.#lines[moment];
    if (line === undefined) return before;
    try {
      return screenAfter(before, line, this.#drawing);
    } catch {
      this.#failed.add(moment);
      return before;
    }
  }
}

function timesOf(lines: readonly ReadLine[]): readonly number[] {
  let at = 0;
  let before: ReadLine | null = null;
  return lines.map((line) => {
    if (before !== null) {
      const passed = line.kind === 'header' ? IDLE_MS : line.atMs === 0 ? line.tsMs - before.tsMs : line.atMs - before.atMs;
      at += Math.min(IDLE_MS, Math.max(0, passed));
    }
    before = line;
    return at;
  });
}

/** Reads a trace to play it. Throws `trace.open`. */
export async function loadRun(path: string, drawing: Drawing): Promise<RecordedRun> {
  const lines: ReadLine[] = [];
  let skipped = 0;
  for await (const found of linesOfFile(path)) {
    const line = readFileLine(found);
    if ('problem' in line) skipped += 1;
    else if (line.kind !== 'command') lines.push(line);
  }
  return new RecordedRun(lines, drawing, skipped);
}
