/** One cell of the matrix: a scenario in a shell on a ground, and what it may do there. */

import type { PaneCommand, PaneState } from '../../../lib/protocol/panes.js';
import type { BackgroundCommand, TmuxClient } from '../../../lib/targets/target.js';
import { until } from '../../support/until.js';
import { never } from '../../targets/local-target.js';
import type { GroundTarget, ShellName, StartFiles } from './ground.js';

/** A value for each shell; `other` for those not named. */
export type ByShell<T> = { readonly [name in ShellName | 'other']?: T };

/** Characters of an output that are compared; it also keeps a wrong cell readable. */
const MOST = 25_000;

export interface Scenario {
  readonly name: string;
  /** It is about this shell. */
  readonly only?: ShellName;
  /** Shells it makes no sense in, with the reason. */
  readonly not?: ByShell<string>;
  /** Such a scenario gets a shell of its own. */
  readonly files?: ByShell<StartFiles>;
  /** It leaves a shell that others should not go on with. */
  readonly spoils?: true;
  /** Milliseconds it may take. */
  readonly patience?: number;
  play(cell: Cell): Promise<void>;
}

export class Cell {
  readonly shell: ShellName;
  readonly opened: GroundTarget;

  constructor(shell: ShellName, opened: GroundTarget) {
    this.shell = shell;
    this.opened = opened;
  }

  get tmux(): TmuxClient {
    const { tmux } = this.opened.target;
    if (tmux === null) throw new Error('this target has no tmux');
    return tmux;
  }

  of<T>(values: ByShell<T>): T {
    const value = values[this.shell] ?? values.other;
    if (value === undefined) throw new Error(`nothing is said for ${this.shell}`);
    return value;
  }

  /** Runs and expects this exit code and this cleaned output. */
  async gives(command: string, exitCode: number, text: string | RegExp): Promise<void> {
    const outcome = await this.opened.run(command);
    const shown = 'output' in outcome ? outcome.output.text : outcome.reason;
    const seen = { kind: outcome.kind, exitCode: outcome.kind === 'exited' ? outcome.exitCode : null, text: shown.slice(0, MOST) };
    expect(seen).toEqual({ kind: 'exited', exitCode, text: typeof text === 'string' ? text : expect.stringMatching(text) });
  }

  /** Runs and expects the shell to be lost, and a new one for the next command, with a notice. fish tells how its last command ended. */
  async loses(command: string, exitCode?: number): Promise<void> {
    const outcome = await this.opened.run(command);
    expect(outcome).toMatchObject(this.shell === 'fish' && exitCode !== undefined ? { kind: 'exited', exitCode } : { kind: 'lost' });
    await this.renewed();
  }

  /** Expects the next command to get a new shell, with this notice. */
  async renewed(
    notice = 'A new shell was started in the pane; the working directory and the environment of the old one are lost.',
  ): Promise<void> {
    // A command that was meant for the folder of the shell that has ended runs in no other.
    const first = await this.opened.run('echo alive');
    if (first.kind === 'refused') expect(first.reason).toMatch(/^the shell is in \/\S* now, and the command was meant for \//);
    else expect(first).toMatchObject({ kind: 'exited', output: { text: 'alive\n' } });
    await this.gives('echo alive', 0, 'alive\n');
    const notices = this.opened.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
    expect(notices.at(-1)).toBe(notice);
  }

  /** Expects that nothing is typed into a shell that is not ours; after a while such a shell is known as one. */
  async refusesInOtherShell(): Promise<void> {
    const state = { kind: expect.stringMatching(/^(?:running|unknown-shell)$/) };
    expect(await this.opened.run('echo no')).toMatchObject({ kind: 'refused', state });
  }

  /** Runs without waiting. */
  async begins(command: string): Promise<BackgroundCommand> {
    const outcome = await this.opened.run(command, { kind: 'none' });
    if (outcome.kind !== 'running') throw new Error(`${command}: ${outcome.kind}`);
    return outcome.background;
  }

  /** Expects how a command that was begun ends. */
  async ends(begun: BackgroundCommand, exitCode: number, text: string | RegExp): Promise<void> {
    const { exitCode: code, output } = await begun.ended;
    const wanted = typeof text === 'string' ? text : expect.stringMatching(text);
    expect({ exitCode: code, text: output.text.slice(0, MOST) }).toEqual({ exitCode, text: wanted });
  }

  /** Types into the pane as a person would. */
  types(bytes: string): Promise<void> {
    return this.tmux.type(undefined, bytes, never);
  }

  /** What a person ran, as it was told so far. */
  told(): readonly PaneCommand[] {
    return this.opened.events.flatMap((event) => (event.type === 'pane.command' ? [event] : []));
  }

  /** Types a line, and expects that it is told as what a person ran. */
  async byHand(line: string, exitCode: number): Promise<void> {
    const before = this.told().length;
    await this.types(`${line}\r`);
    await until(`${line} is told`, () => this.told().length > before);
    expect(this.told().slice(before)).toMatchObject([{ text: line, exitCode }]);
    await this.untilState('idle');
  }

  /** Presses Ctrl-C at a line that was begun, and expects that commands run again. */
  async emptiesLine(): Promise<void> {
    await this.types('\x03');
    const outcomes: unknown[] = [];
    await until('the line is gone', async () => {
      const outcome = await this.opened.run('true');
      outcomes.push(outcome);
      return outcome.kind === 'exited';
    }).catch((thrown: unknown) => {
      throw new Error(`${thrown instanceof Error ? thrown.message : thrown}: ${JSON.stringify(outcomes.slice(-2), null, 2)}`);
    });
  }

  untilState(kind: PaneState['kind'], program?: RegExp): Promise<unknown> {
    return until(`the pane is ${kind}`, () => {
      const state = this.tmux.panes()[0]?.state;
      return state?.kind === kind && (program === undefined || ('program' in state && program.test(state.program)));
    });
  }

  async untilScreen(text: string | RegExp): Promise<void> {
    let screen = '';
    const shows = async () => {
      screen = await this.tmux.capture({}, never);
      return typeof text === 'string' ? screen.includes(text) : text.test(screen);
    };
    await until(`the pane shows ${text}`, shows).catch((thrown: unknown) => {
      throw new Error(`${thrown instanceof Error ? thrown.message : thrown}; it shows:\n${screen}`);
    });
  }
}

/** A scenario of one command. */
export function gives(
  name: string,
  command: string | ByShell<string>,
  exitCode: number | ByShell<number>,
  text: string | RegExp | ByShell<string | RegExp>,
  not: ByShell<string> = {},
): Scenario {
  return {
    name,
    not,
    play: (cell) =>
      cell.gives(
        typeof command === 'string' ? command : cell.of(command),
        typeof exitCode === 'number' ? exitCode : cell.of(exitCode),
        typeof text === 'string' || text instanceof RegExp ? text : cell.of(text),
      ),
  };
}
