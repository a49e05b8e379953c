/** Frames as the text that a person would see, and states made by real events. */

import { readFileSync } from 'node:fs';
import type { Row } from '../../../lib/base/style.js';
import { clusterWidth, graphemes } from '../../../lib/base/width.js';
import type { ModelSummary, RuntimeEvent } from '../../../lib/protocol/events.js';
import type { InputEvent } from '../../../lib/protocol/input.js';
import { type Effect, handleInput } from '../../../lib/view/app.js';
import { compose } from '../../../lib/view/compose.js';
import { reduce } from '../../../lib/view/reducer.js';
import { type InitialState, initialState, type State } from '../../../lib/view/state.js';
import { parseTheme } from '../../../lib/view/theme.js';
import type { Frame } from '../../../lib/view/widget.js';

export const theme = parseTheme(readFileSync('themes/terminal.json', 'utf8'));

/** Noon of a day; tests count from it. */
export const START_MS = 1_700_000_000_000;

export const demoModel: ModelSummary = { profile: 'demo', model: 'scripted', api: 'demo', contextTokens: 32_000 };
export const chatModel: ModelSummary = { profile: 'gpt', model: 'gpt-codex', api: 'chat', contextTokens: 200_000 };

/** The event that begins every session. */
export function startedEvent(model: ModelSummary = chatModel): RuntimeEvent {
  return {
    type: 'lifecycle.started',
    agent: 'buddy',
    session: 's1',
    model,
    profiles: [model, demoModel],
    target: { kind: 'local', via: 'tmux', label: 'this host', host: 'web-01', user: 'root', cwd: '/srv', shell: 'bash', attach: null },
    policy: { kind: 'ask' },
    version: '0.1.0',
  };
}

/** A dashboard of a size after `events`, one millisecond apart. */
export function stateAfter(cols: number, rows: number, events: readonly RuntimeEvent[] = [], more: Partial<InitialState> = {}): State {
  const start = initialState({ size: { cols, rows }, theme, version: '0.1.0', nowMs: START_MS, ...more });
  return following(start, ...events);
}

/** `state` after more events. */
export function following(state: State, ...events: readonly RuntimeEvent[]): State {
  return events.reduce((now, event, i) => reduce(now, { type: 'runtime', envelope: { seq: i + 1, tsMs: now.nowMs + 1, event } }), state);
}

/** Paints parts in order, as the printer does. */
export function picture(frame: Frame): readonly string[] {
  const cells = Array.from({ length: frame.size.rows }, () => Array.from({ length: frame.size.cols }, () => ' '));
  for (const { rect, rows } of frame.parts) {
    for (let y = 0; y < Math.min(rect.rows, rows.length); y++) {
      const line = cells[rect.y + y];
      if (line !== undefined) paint(line, rows[y] ?? { segments: [] }, rect.x, rect.cols);
    }
  }
  return cells.map((line) => line.join('').trimEnd());
}

function paint(line: string[], row: Row, from: number, cols: number): void {
  let x = from;
  for (const segment of row.segments) {
    for (const cluster of graphemes(segment.text)) {
      const width = clusterWidth(cluster);
      if (x + width > from + cols)
        throw new Error(`a row is wider than its ${cols} cells: ${row.segments.map((part) => part.text).join('')}`);
      if (width === 0) continue;
      line[x] = cluster;
      if (width === 2) line[x + 1] = '';
      x += width;
    }
  }
  while (x < from + cols) line[x++] = ' ';
}

/** What a person sees of `state`. */
export function seen(state: State): string {
  return picture(compose(state, state.theme)).join('\n');
}

/** A key press; a single character types itself. */
export function keyEvent(name: string): InputEvent {
  const text = name === 'space' ? ' ' : [...name].length === 1 || graphemes(name).length === 1 ? name : '';
  return { type: 'key', key: name, text };
}

/** `state` after the left button went down at a cell and came up at the last of others, and what that wanted done. */
export function click(
  state: State,
  nowMs: number,
  ...cells: readonly (readonly [number, number])[]
): { readonly state: State; readonly effects: readonly Effect[] } {
  const [[x, y] = [0, 0], ...moves] = cells;
  const [endX, endY] = moves.at(-1) ?? [x, y];
  const event = (action: 'press' | 'drag' | 'release', at: readonly [number, number]): InputEvent => ({
    type: 'mouse',
    action,
    button: 'left',
    x: at[0],
    y: at[1],
  });
  const events = [event('press', [x, y]), ...moves.map((at) => event('drag', at)), event('release', [endX, endY])];
  let now = state;
  const effects: Effect[] = [];
  for (const each of events) {
    const step = handleInput(now, each, nowMs);
    now = step.state;
    effects.push(...step.effects);
  }
  return { state: now, effects };
}

/** `state` after keys, all at `nowMs`; and what they wanted done. */
export function press(
  state: State,
  nowMs: number,
  ...keys: readonly string[]
): { readonly state: State; readonly effects: readonly Effect[] } {
  let now = state;
  const effects: Effect[] = [];
  for (const name of keys) {
    const step = handleInput(now, keyEvent(name), nowMs);
    now = step.state;
    effects.push(...step.effects);
  }
  return { state: now, effects };
}
