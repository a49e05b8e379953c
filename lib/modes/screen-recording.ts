/** The screen's half of a trace: the picture at the start, and all that changed it besides events of the runtime. */

import type { Clock } from '../base/clock.js';
import type { InputEvent } from '../protocol/input.js';
import type { Trace } from '../runtime/trace.js';
import { draftOf } from '../view/editor/model.js';
import type { Step } from '../view/effects.js';
import { type Action, reduce } from '../view/reducer.js';
import type { InitialState, State } from '../view/state.js';

/** What `initialState` is to be given again, as JSON: all of it but what a player loads itself. */
export interface RecordedStart extends Omit<Required<InitialState>, 'commands' | 'lex' | 'bindings'> {
  /** As the terminal was drawn on: for who wonders, a player has its own. */
  readonly glyphs: string;
  readonly draft: string;
  readonly bindings: readonly (readonly [string, readonly string[]])[];
}

/** An action as it is written: functions are left out, a player loads them itself. Events have lines of their own. */
export type RecordedAction =
  | Exclude<Action, { readonly type: 'runtime' | 'commands.loaded' | 'markdown.loaded' | 'charts' }>
  | { readonly type: 'commands.loaded' | 'markdown.loaded' }
  | { readonly type: 'charts'; readonly drawn: boolean; readonly trouble: string | null };

/** Characters of earlier prompts that are written at most. */
const MOST_HISTORY = 65_536;

/** Tells a trace what becomes of the screen; without one it does nothing. */
export class ScreenRecording {
  readonly #trace: Trace | null;
  readonly #clock: Clock;

  constructor(trace: Trace | null, clock: Clock) {
    this.#trace = trace;
    this.#clock = clock;
  }

  /** The screen is there, and looks like this. To be called before anything else is written. */
  begin(state: State, glyphs: string): void {
    this.#trace?.begin(startOf(state, glyphs));
  }

  /** What the reducer makes of an action; one that changes nothing is not written. */
  reduce(before: State, action: Action): State {
    const after = reduce(before, action);
    if (this.#trace === null) return after;
    this.#trace.pulse();
    const recorded = after === before ? null : recordedAction(action);
    if (recorded !== null) this.#trace.write({ kind: 'view', tsMs: this.#clock.now(), action: recorded });
    return after;
  }

  /** What an input, taken for that time, was made into. Nothing of it is written when it meant nothing. Answers `step`. */
  heard(input: InputEvent, nowMs: number, before: State, step: Step): Step {
    if (this.#trace === null || (step.state === before && step.effects.length === 0)) return step;
    const shown = before.takeover === null ? input : withoutWhatWasTyped(input, before, step.state);
    if (shown !== null) this.#trace.write({ kind: 'input', tsMs: nowMs, input: shown });
    return step;
  }
}

/** During a takeover nobody but the pane is to know what was typed: what is left of an input is what it did to the screen. */
function withoutWhatWasTyped(input: InputEvent, before: State, after: State): InputEvent | null {
  if (after === before) return null;
  if (input.type === 'paste') return { ...input, text: '•' };
  return input.type === 'key' && input.text !== '' && after.takeover !== null ? { type: 'key', key: '•', text: '•' } : input;
}

function startOf(state: State, glyphs: string): RecordedStart {
  const { size, theme, version, nowMs, showTokens, showToolCalls, onExit, arrangements, header, footer, project, editor } = state;
  return {
    ...{ size, theme, glyphs, version, nowMs, showTokens, showToolCalls, onExit, arrangements, header, footer, project },
    draft: draftOf(editor),
    history: newest(editor.history.entries),
    bindings: [...state.bindings],
    editorMode: editor.vi === null ? 'emacs' : 'vi',
    mouse: state.pointer.settings,
  };
}

function newest(entries: readonly string[]): readonly string[] {
  let room = MOST_HISTORY;
  const from = entries.findLastIndex((entry) => {
    room -= entry.length;
    return room < 0;
  });
  return entries.slice(from + 1);
}

function recordedAction(action: Action): RecordedAction | null {
  switch (action.type) {
    case 'runtime':
      return null;
    case 'commands.loaded':
    case 'markdown.loaded':
      return { type: action.type };
    case 'charts':
      return { type: 'charts', drawn: action.draw !== null, trouble: action.trouble };
    default:
      return action;
  }
}
