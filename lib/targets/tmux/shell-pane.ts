/** A pane with our shell in it: what the shell is doing, told by its marks, and the command that runs in it. */

import type { CommandRun } from '../command-run.js';
import { type Mark, MarkScanner } from './mark-scanner.js';
import { isAnswers, QuestionSearch } from './terminal-answers.js';
import { TypedCommands, type TypedListener } from './typed-commands.js';

/**
 * `typing`: a line is on its way to the shell. `settling`: the last command has ended, its prompt is still to come. `unknown`: the shell
 * was not heard yet, and whatever waits there may be another one.
 */
export type PanePhase = 'starting' | 'unknown' | 'prompt' | 'typing' | 'running' | 'settling' | 'continuation' | 'dead' | 'lost';

/** What a pane tells its owner; synchronously. */
export interface ShellPaneListener extends TypedListener {
  changed(): void;
  cwd(path: string): void;
}

/** Escape sequences: they are no text that someone typed. */
const SEQUENCES = /\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/g;
/** What a shell itself says between a command and the prompt. */
const JOB_NOTICE = /^\s*\[\d+\]/;
/** How zsh and fish see to it that a prompt begins in the first column: a sign, blanks to the end of the row, and back. */
const LINE_START = /\S{0,3} +\r(?:\S{0,3} \r)?/g;
/** How fish comes to its place in a row that is not the first of its line. */
const MOVES_RIGHT = /^\x1b\[\d*C/;
/** Bytes after a prompt that are looked at for half-typed text. */
const LOOKED_AT = 4096;

export class ShellPane {
  phase: PanePhase = 'starting';
  /** Exit code of the last command, also of one that a person typed. */
  lastExit: number | null = null;
  /** False while prompts come without marks. */
  marksPrompts = true;
  /** The command that runs now. */
  run: CommandRun | null = null;
  readonly #listener: ShellPaneListener;
  readonly #atPrompt = new Set<() => void>();
  readonly #whenDrawn = new Set<() => void>();
  readonly #scanner: MarkScanner;
  readonly #typed: TypedCommands;
  #sincePrompt = '';
  /** Echo of what was typed before the prompt came. A line editor shows it again, other shells do not. */
  #typedAhead = '';
  readonly #marksStart: boolean;
  /** A line editor is about to show again what was typed ahead. */
  awaitsEcho = false;
  #echoed: (() => void) | null = null;
  /** Between the marks around a prompt. */
  #inPrompt = false;
  #promptExit: number | null = null;
  /** Number of the newest prompt. */
  #prompt = 0;
  /** No prompt has been heard since `resume`: the marks of the end of a command may have been missed. */
  #resumed = false;
  /** The prompt hooks told of a prompt after the command that runs, but not how it ended. */
  #promptAfterRun = false;
  /** The last command asked the terminal something: what it did not read of the answers stands at the prompt. */
  asked = false;
  readonly #questions = new QuestionSearch();
  /** What comes now is text of the prompt, not of a person. */
  #inRightPrompt = false;

  /** `marksStart`: the shell marks the start of commands that people type. */
  constructor(nonce: string, marksStart: boolean, listener: ShellPaneListener) {
    this.#listener = listener;
    this.#marksStart = marksStart;
    this.#typed = new TypedCommands(marksStart, listener);
    this.#scanner = new MarkScanner(
      nonce,
      (bytes) => this.#data(bytes),
      (mark) => this.#mark(mark),
    );
  }

  feed(bytes: Buffer): void {
    this.#scanner.push(bytes);
  }

  /** Resolves when the shell is at its prompt, or can no longer get there. */
  promptReached(): Promise<void> {
    if (this.phase === 'prompt' || this.phase === 'dead' || this.phase === 'lost') return Promise.resolve();
    return new Promise((resolve) => this.#atPrompt.add(resolve));
  }

  /** Resolves when a prompt has been drawn, be it the same one again. */
  promptDrawn(): Promise<void> {
    return new Promise((resolve) => this.#whenDrawn.add(resolve));
  }

  /** True when something was printed after the prompt: typed text, or output of something in the background. */
  get touched(): boolean {
    return this.#sincePrompt.replace(SEQUENCES, '') !== '';
  }

  /** More than one row was printed after the prompt: a line editor may be about to draw a line of several rows. */
  get severalRows(): boolean {
    return this.#sincePrompt.includes('\n');
  }

  /** Text that stands at the prompt, typed by somebody and not entered; '' when none. */
  halfTyped(): string {
    if (this.phase !== 'prompt') return '';
    const lastRow = this.#sincePrompt.slice(this.#sincePrompt.lastIndexOf('\n') + 1);
    // Behind a line end: output of a background job, and the line itself is then unknown and taken as empty; or a line of several rows.
    const text = visible(lastRow);
    if (text === '' && lastRow !== this.#sincePrompt && MOVES_RIGHT.test(lastRow)) return visible(this.#sincePrompt);
    return this.asked && isAnswers(text) ? '' : text;
  }

  /** Resolves when what was typed ahead is shown again, or when it no longer matters. */
  echoShown(): Promise<void> {
    if (!this.awaitsEcho) return Promise.resolve();
    return new Promise((resolve) => {
      this.#echoed = resolve;
    });
  }

  /** A line is being typed for `run`. */
  typing(run: CommandRun): void {
    this.run = run;
    this.asked = false;
    this.#enter('typing');
  }

  /** The shell is gone, or the way to it. */
  gone(phase: 'dead' | 'lost', reason: string): void {
    if (this.phase === phase) return;
    this.#finish({ kind: 'lost', reason });
    this.#enter(phase);
  }

  /** Another program has taken the place of ours: what runs in the pane is not ours to follow. */
  overtaken(reason: string): void {
    this.#finish({ kind: this.run?.hasBegun === false ? 'unstarted' : 'lost', reason });
    this.#enter('running');
  }

  /** Gives up on a command that was never taken. */
  unstarted(reason: string): void {
    this.#finish({ kind: 'unstarted', reason });
    if (this.phase === 'typing') this.#enter('prompt');
  }

  /** The end mark was lost, but the status file told the exit code. */
  missedEnd(exitCode: number): void {
    this.lastExit = exitCode;
    this.#finish({ kind: 'exited', exitCode });
    this.#enter('settling');
  }

  /** After a time without the pane's bytes: it is known from elsewhere that a command runs, or that the shell waits for input. */
  recovered(phase: 'running' | 'prompt' | 'unknown'): void {
    if (phase === 'running') this.run?.begin();
    this.#enter(phase);
    this.#sincePrompt = '';
  }

  /** Number of the newest prompt. */
  get promptNumber(): number {
    return this.#prompt;
  }

  /** The shell has been there before us: its newest prompt known so far had that number, and `run` was running in it. */
  resume(prompt: number, run: CommandRun | null): void {
    this.#prompt = prompt;
    this.#resumed = true;
    this.run = run;
    run?.begin();
    this.#enter(run === null ? 'unknown' : 'running');
  }

  /** What is known from tmux alone when the shell prints no prompt marks (its prompt was replaced): it waits for input. */
  assumePrompt(): void {
    this.marksPrompts = false;
    this.#enter('prompt');
  }

  #data(bytes: Buffer): void {
    const run = this.run;
    if (run?.hasBegun && run.end === null) {
      this.asked ||= this.#questions.data(bytes);
      run.output(bytes);
      return;
    }
    if (run === null && this.phase === 'running') this.asked ||= this.#questions.data(bytes);
    this.#typed.data(this.#inRightPrompt ? blanked(bytes) : bytes);
    if (this.#inRightPrompt) return;
    if (this.phase === 'settling' && !this.#inPrompt && this.#typedAhead.length < LOOKED_AT)
      this.#typedAhead += bytes.toString('latin1', 0, LOOKED_AT);
    // A prompt that is drawn again is nobody's typing.
    if (this.phase !== 'prompt' || this.#inPrompt) return;
    if (this.#sincePrompt.length < LOOKED_AT) this.#sincePrompt += bytes.toString('latin1', 0, LOOKED_AT);
    if (this.awaitsEcho && this.touched) this.#endEcho();
  }

  /**
   * Marks that were printed once may be printed again by a program (`cat` of a log of the pane). They are known by the id of a command
   * that is over, or by the number of a prompt that is over.
   */
  #isReplayed(mark: Mark): boolean {
    const { run } = this;
    const persons = mark.id === '' || mark.id === '0';
    if (this.#resumed && persons && (mark.kind === 'A' || mark.kind === 'B'))
      return mark.prompt === null || (run === null ? mark.prompt < this.#prompt : mark.prompt <= this.#prompt && !this.#promptAfterRun);
    if (run?.hasBegun === true) return mark.id !== run.id && !(mark.kind === 'B' && this.#promptAfterRun);
    if (!persons && mark.kind !== 'A') return mark.id !== run?.id;
    if (mark.prompt === null) return false;
    if (mark.kind === 'C') return mark.prompt < this.#prompt;
    if (mark.kind === 'D') return this.phase === 'prompt' ? mark.prompt <= this.#prompt : mark.prompt < this.#prompt;
    // The rest of a prompt that has just begun, though no hook told the end of the line before it.
    if (mark.kind === 'B' && this.#inPrompt && mark.prompt === this.#prompt) return false;
    return this.phase === 'running' && run === null ? mark.prompt <= this.#prompt : mark.prompt < this.#prompt;
  }

  #mark(mark: Mark): void {
    if (this.#isReplayed(mark)) return;
    this.#typed.mark(mark);
    if (mark.kind === 'A' || mark.kind === 'B') this.#prompt = Math.max(this.#prompt, mark.prompt ?? 0);
    this.#inRightPrompt = mark.kind === 'R';
    this.#inPrompt = mark.kind === 'A';
    if (mark.cwd !== null && mark.cwd !== '') this.#listener.cwd(mark.cwd);
    const run = this.run;
    const ours = run !== null && run.end === null && mark.id === run.id;
    switch (mark.kind) {
      case 'A':
        this.#promptExit = mark.exitCode;
        this.#promptAfterRun = run?.hasBegun === true;
        return;
      case 'B':
        this.#promptShown();
        return;
      case 'C':
        if (ours) run.begin();
        if (ours || run === null) this.#enter('running');
        return;
      case 'D':
        if (ours) {
          this.lastExit = mark.exitCode;
          this.#finish(
            mark.exitCode === null ? { kind: 'lost', reason: 'the shell told no exit code' } : { kind: 'exited', exitCode: mark.exitCode },
          );
        } else if (run === null && mark.exitCode !== null) this.lastExit = mark.exitCode;
        if (this.run === null && this.phase !== 'prompt') this.#enter('settling');
        return;
      case 'P':
        if (run === null || !run.hasBegun) this.#enter('continuation');
        return;
      case 'R':
      case 'E':
        return;
    }
  }

  #promptShown(): void {
    for (const resolve of [...this.#whenDrawn]) resolve();
    this.#whenDrawn.clear();
    this.marksPrompts = true;
    this.#resumed = false;
    this.#promptAfterRun = false;
    this.#sincePrompt = '';
    if (this.run?.hasBegun === true) {
      // The prompt is back and no D mark told why: the hooks were taken away while it ran.
      const exitCode = this.#promptExit;
      this.#finish(
        exitCode === null ? { kind: 'lost', reason: 'the prompt came back, but the exit code was not told' } : { kind: 'exited', exitCode },
      );
    }
    if (this.run === null) {
      // No hook told how a command of a person has ended, but the prompt knows.
      if (this.phase === 'running' && this.#promptExit !== null) this.lastExit = this.#promptExit;
      this.#enter('prompt');
      this.awaitsEcho = this.#marksStart && isTypedText(this.#typedAhead);
      if (!this.#marksStart) this.#sincePrompt = this.#typedAhead;
      if (!this.#marksStart && !JOB_NOTICE.test(this.#typedAhead)) this.#typed.data(Buffer.from(this.#typedAhead, 'latin1'));
      this.#typedAhead = '';
    } else this.#wake();
  }

  #endEcho(): void {
    this.awaitsEcho = false;
    this.#echoed?.();
    this.#echoed = null;
  }

  #finish(end: Parameters<CommandRun['finish']>[0]): void {
    const run = this.run;
    this.run = null;
    run?.finish(end);
  }

  #enter(phase: PanePhase): void {
    if (phase === 'prompt' && this.phase !== 'prompt') this.#sincePrompt = '';
    const changed = this.phase !== phase;
    this.phase = phase;
    if (changed) this.#endEcho();
    if (phase === 'prompt' || phase === 'dead' || phase === 'lost') this.#wake();
    if (changed) this.#listener.changed();
  }

  #wake(): void {
    for (const resolve of [...this.#atPrompt]) resolve();
    this.#atPrompt.clear();
  }
}

/** What is left to see without escape sequences and control characters. */
function visible(bytes: string): string {
  return bytes
    .replace(SEQUENCES, '')
    .replace(/[\x00-\x1f\x7f]/g, '')
    .trim();
}

/** The same with blanks for text: a right prompt is not what a person typed, but it moves the cursor. */
function blanked(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8');
  let blank = '';
  let at = 0;
  for (const sequence of text.matchAll(SEQUENCES)) {
    blank += text.slice(at, sequence.index).replace(/[^\x00-\x1f]/gu, ' ') + sequence[0];
    at = sequence.index + sequence[0].length;
  }
  return Buffer.from(blank + text.slice(at).replace(/[^\x00-\x1f]/gu, ' '));
}

/** True when what came between a command and its prompt may be the echo of a line that a person has begun. */
function isTypedText(bytes: string): boolean {
  const text = bytes.replace(SEQUENCES, '').replace(LINE_START, '');
  return !text.includes('\n') && text.trim() !== '';
}
