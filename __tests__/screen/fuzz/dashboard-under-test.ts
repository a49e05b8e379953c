/** The screen's half of the dashboard with everything outside played: decoder, reducer, commands, effects, picture, printer. */

import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { slashCommands, slashStep } from '../../../lib/commands/index.js';
import { loadedCharts } from '../../../lib/modes/charts.js';
import type { RuntimeCommand } from '../../../lib/protocol/commands.js';
import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import type { InputEvent } from '../../../lib/protocol/input.js';
import { createPrinter } from '../../../lib/tui/blessed.js';
import type { ColorDepth } from '../../../lib/tui/color-depth.js';
import type { GlyphSet } from '../../../lib/tui/glyphs.js';
import { type DecoderState, decode, expire, freshDecoder } from '../../../lib/tui/input-decoder.js';
import { ENTER } from '../../../lib/tui/modes.js';
import { type Effect, handleInput, type Step, settle } from '../../../lib/view/app.js';
import { createComposer } from '../../../lib/view/compose.js';
import { type Action, reduce } from '../../../lib/view/reducer.js';
import type { SettingsListing } from '../../../lib/view/settings-view.js';
import type { State } from '../../../lib/view/state.js';
import { parseTheme } from '../../../lib/view/theme.js';
import type { Frame, Size } from '../../../lib/view/widget.js';
import { createHeadlessTerminal } from '../../support/headless-terminal.js';
import { START_MS, startedEvent, stateAfter } from '../../view/support/picture.js';
import { listing } from '../../view/support/settings.js';
import type { Happening } from './happenings.js';
import { hostile } from './hostile-text.js';

const charts = await loadedCharts();
const themes = new Map(
  ['terminal', 'dark', 'light', 'mono'].map((name) => [name, parseTheme(readFileSync(`themes/${name}.json`, 'utf8'))] as const),
);

/** A terminal with a printer to it. */
export function createSurface(size: Size, colorDepth: ColorDepth, glyphSet: GlyphSet = 'unicode') {
  const terminal = createHeadlessTerminal(size.cols, size.rows);
  let bytes = '';
  const printer = createPrinter({
    size,
    colorDepth,
    glyphSet,
    env: {},
    write: (text) => {
      bytes += text;
    },
  });
  terminal.feedNow(ENTER);
  return {
    terminal,
    printer,
    /** Paints, and answers the bytes that it took. */
    paint(frame: Frame): string {
      bytes = '';
      printer.present(frame);
      terminal.feedNow(bytes);
      return bytes;
    },
    resize(to: Size) {
      terminal.resize(to.cols, to.rows);
      printer.resize(to);
    },
  };
}

/** As files that anybody wrote could have them. */
const hostileSettings: SettingsListing = {
  ...listing,
  entries: listing.entries.map((entry, at) => ({
    ...entry,
    value: hostile[at % hostile.length] ?? '',
    typed: hostile[at % hostile.length] ?? '',
  })),
};

export type Surface = ReturnType<typeof createSurface>;

/** What a run looks at after each happening. */
export interface DashboardUnderTest {
  readonly state: State;
  readonly nowMs: number;
  readonly surface: Surface;
  /** Does it all, and answers whether a person did something. */
  apply(happening: Happening): boolean;
  /** The picture of the state, painted; the bytes it took. */
  draw(): { readonly frame: Frame; readonly bytes: string };
}

export interface Options {
  readonly size: Size;
  readonly colorDepth: ColorDepth;
  readonly editorMode: 'emacs' | 'vi';
  readonly lex: State['lex'];
}

export function createDashboard({ size, colorDepth, editorMode, lex }: Options): DashboardUnderTest {
  const surface = createSurface(size, colorDepth);
  const compose = createComposer();
  let nowMs = START_MS;
  let decoder: DecoderState = freshDecoder;
  let state = stateAfter(size.cols, size.rows, [startedEvent()], { lex, commands: slashCommands, editorMode });
  state = reduce(state, { type: 'theme.names', names: [...themes.keys()] });

  const dispatch = (action: Action): void => take({ state: reduce(state, action), effects: [] });
  const tell = (event: RuntimeEvent): void => dispatch({ type: 'runtime', envelope: { seq: 1, tsMs: nowMs, event } });

  function take(step: Step): void {
    const settled = settle(step.state);
    state = settled.state;
    if (settle(state).effects.length > 0) throw new Error('settling does not come to an end');
    for (const effect of [...step.effects, ...settled.effects]) carryOut(effect);
  }

  function carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'slash':
        take(slashStep(effect.line, state));
        break;
      case 'send':
        for (const event of answersTo(effect.command)) tell(event);
        break;
      case 'suspend':
      case 'repaint':
      case 'reconnect':
        surface.printer.invalidate();
        break;
      case 'attach':
        dispatch({ type: 'attached', on: true });
        surface.printer.invalidate();
        dispatch({ type: 'attached', on: false });
        break;
      case 'theme': {
        const theme = themes.get(effect.name);
        if (theme !== undefined) dispatch({ type: 'theme', name: effect.name, theme, keep: effect.keep });
        break;
      }
      case 'files':
        if (effect.folder !== null)
          dispatch({ type: 'files', folder: effect.folder, paths: ['src/', 'src/日本.ts', ...hostile], looking: false, more: true });
        break;
      case 'editor.external':
        dispatch({ type: 'draft', text: `${effect.text}\n${hostile[0]}漢字` });
        break;
      case 'copy':
        dispatch({ type: 'toast', level: 'info', text: `copied ${effect.text.slice(0, 50)}`, nowMs });
        break;
      case 'charts':
        dispatch(charts);
        break;
      case 'settings':
        dispatch({ type: 'settings', listing: hostileSettings });
        if (effect.ask.kind === 'set') dispatch({ type: 'settings.said', level: 'warning', text: `${effect.ask.text} ${hostile[1]}` });
        if (effect.ask.kind === 'reset') dispatch({ type: 'settings.said', level: 'info', text: hostile[2] ?? '' });
        break;
      case 'remember':
      case 'quit':
        break;
    }
  }

  const input = (event: InputEvent): void => take(handleInput(state, event, nowMs));

  return {
    get state() {
      return state;
    },
    get nowMs() {
      return nowMs;
    },
    surface,
    apply(happening) {
      switch (happening.kind) {
        case 'event':
          tell(happening.event);
          return false;
        case 'input':
          input(happening.input);
          return true;
        case 'bytes': {
          const decoded = decode(decoder, Buffer.from(happening.bytes));
          const late = expire(decoded.state);
          decoder = late.state;
          for (const event of [...decoded.events, ...late.events]) input(event);
          return true;
        }
        case 'resize':
          surface.resize(happening.size);
          dispatch({ type: 'resized', size: happening.size });
          return false;
        case 'time':
          nowMs += happening.ms;
          dispatch({ type: 'tick', nowMs });
          return false;
        case 'shown':
          dispatch({ type: 'shown', nowMs });
          return false;
      }
    },
    draw() {
      const frame = compose(state);
      return { frame, bytes: surface.paint(frame) };
    },
  };
}

/** What a runtime would tell at once. */
function answersTo(command: RuntimeCommand): readonly RuntimeEvent[] {
  switch (command.type) {
    case 'prompt.submit':
      return [{ type: 'task.started', task: '1', kind: 'prompt', text: command.text, pane: null }];
    case 'approval.answer':
      return [{ type: 'approval.resolved', approval: command.approval, decision: command.decision, by: 'user' }];
    case 'task.cancel':
      return [{ type: 'task.ended', task: command.task, outcome: 'cancelled', exitCode: null, error: null }];
    case 'pane.takeover':
      return [{ type: 'pane.taken', pane: command.pane }];
    case 'pane.handback':
      return [{ type: 'pane.returned', pane: command.pane, commands: [] }];
    default:
      return [];
  }
}
