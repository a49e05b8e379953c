/** The screen of a recorded run, made again: the lines of a trace go through the reducer and the keymap that made it. Pure. */

import { type Color, plain, type Row, type Segment, type Style } from '../base/style.js';
import { visibleLine } from '../base/visible.js';
import { slashCommands, slashStep } from '../commands/index.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { ReadLine } from '../runtime/trace-lines.js';
import { handleInput, settle } from '../view/app.js';
import type { DrawChart } from '../view/charts.js';
import type { Step } from '../view/effects.js';
import { type Action, reduce } from '../view/reducer.js';
import type { Lex } from '../view/rows/markdown.js';
import { type InitialState, initialState, type State } from '../view/state.js';
import { type Theme, type ThemeToken, themeTokens } from '../view/theme.js';
import { withDraft } from '../view/unsent.js';
import type { Size } from '../view/widget.js';
import type { RecordedAction, RecordedStart } from './screen-recording.js';

/** What a recorded screen is drawn with besides its lines. */
export interface Drawing {
  /** Null: text is shown as it is. */
  readonly lex: Lex | null;
  readonly draw: DrawChart | null;
  /** For a trace that has no screen in it. */
  readonly theme: Theme;
  readonly size: Size;
  /** What of a screen without a header in the trace is otherwise than usual. */
  readonly start?: Pick<InitialState, 'arrangements' | 'header' | 'footer'>;
}

/** Where a player is in a run. `keyed`: what keys mean is known, as in the run itself. */
export interface RecordedScreen {
  readonly state: State;
  readonly keyed: boolean;
  /** When the run began, by the header: `atMs` counts from there. */
  readonly startMs: number;
}

/** The screen before the first line; for a trace without a screen of its own, such as one of exec. */
export function blankScreen(drawing: Drawing): RecordedScreen {
  const { size, theme, lex, start } = drawing;
  const state = initialState({ size, theme, lex, version: '', nowMs: 0, commands: slashCommands, ...start });
  return { state, keyed: true, startMs: 0 };
}

/** The screen after one more line. What was not written down (how a pane looked in a takeover) changes nothing. May throw for a line that no run has written. */
export function screenAfter(before: RecordedScreen, line: ReadLine, drawing: Drawing): RecordedScreen {
  switch (line.kind) {
    case 'header':
      return screenAt(line.screen as RecordedStart | null, line.tsMs, line.program, drawing);
    case 'command':
      return before;
    case 'event': {
      const event = shownEvent(line.event as RuntimeEvent);
      if (event === null) return before;
      return dispatched(before, { type: 'runtime', envelope: { seq: line.seq, tsMs: line.tsMs, event } });
    }
    case 'view': {
      const action = actionOf(line.action as RecordedAction, drawing);
      if (action === null) return before;
      return dispatched(action.type === 'commands.loaded' ? { ...before, keyed: true } : before, action);
    }
    case 'input':
      return stepped(before, handleInput(before.state, line.input, line.tsMs));
  }
}

function dispatched(before: RecordedScreen, action: Action): RecordedScreen {
  return stepped(before, { state: reduce(before.state, action), effects: [] });
}

/** As in the run: settled, and what slash commands change. Other effects came back as actions of their own. */
function stepped(before: RecordedScreen, step: Step): RecordedScreen {
  const settled = before.keyed ? settle(step.state) : { state: step.state, effects: [] };
  let now: RecordedScreen = { ...before, state: settled.state };
  for (const effect of [...step.effects, ...settled.effects]) {
    if (effect.type === 'slash') now = stepped(now, slashStep(effect.line, now.state));
  }
  return now;
}

function screenAt(start: RecordedStart | null, startMs: number, version: string, drawing: Drawing): RecordedScreen {
  const blank = blankScreen(drawing);
  if (start === null) return { ...blank, startMs, state: { ...blank.state, version, nowMs: startMs } };
  const { draft, bindings, glyphs: _, ...kept } = start;
  const state = initialState({ ...kept, theme: themeOf(start.theme), bindings: new Map(bindings) });
  return { state: draft === '' ? state : withDraft(state, draft), keyed: false, startMs };
}

function actionOf(action: RecordedAction, { lex, draw }: Drawing): Action | null {
  switch (action.type) {
    case 'commands.loaded':
      return { type: 'commands.loaded', commands: slashCommands };
    case 'markdown.loaded':
      return lex === null ? null : { type: 'markdown.loaded', lex };
    case 'charts':
      return { type: 'charts', draw: action.drawn ? draw : null, trouble: action.trouble };
    case 'theme':
      return { ...action, theme: themeOf(action.theme) };
    default:
      return action;
  }
}

/** Null for an event of which only the name was written. Rows of cells are checked again: a file may hold anything. */
function shownEvent(event: RuntimeEvent): RuntimeEvent | null {
  if (event.type === 'pane.scrollback') return null;
  if (event.type !== 'pane.screen') return event;
  const screen = event.screen as typeof event.screen | null;
  return screen === null ? null : { ...event, screen: { ...screen, rows: screen.rows.map(rowOfFile) } };
}

function rowOfFile({ segments, fill }: Row): Row {
  const checked = segments.map(({ text, style }): Segment => ({ text: visibleLine(text), style: styleOfFile(style) }));
  return fill === undefined ? { segments: checked } : { segments: checked, fill: styleOfFile(fill) };
}

const flags = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike'] as const;

function styleOfFile(style: Style): Style {
  const color = (value: unknown): Color | undefined => (Number.isInteger(value) ? (value as Color) : undefined);
  const [fg, bg] = [color(style.fg), color(style.bg)];
  const looks = Object.fromEntries(flags.filter((flag) => style[flag] === true).map((flag) => [flag, true]));
  const checked = { ...looks, ...(fg === undefined ? {} : { fg }), ...(bg === undefined ? {} : { bg }) };
  return Object.keys(checked).length === 0 ? plain : checked;
}

function themeOf(theme: Theme): Theme {
  const styles = Object.fromEntries(themeTokens.map((token) => [token, styleOfFile(theme.styles[token] ?? plain)]));
  return {
    name: theme.name,
    styles: styles as Record<ThemeToken, Style>,
    ground: theme.ground === null ? null : styleOfFile(theme.ground),
  };
}
