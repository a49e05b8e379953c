/** A kept session as a recording for asciinema: what was said and done in it, drawn as it would have come, idle times cut short. */

import type { PastEvent } from '../protocol/events.js';
import type { DrawSession } from '../runtime/sessions/session-drawing.js';
import { castLines } from '../tui/asciicast.js';
import { presets } from '../view/arrangement.js';
import { type Lex, loadMarkdown } from '../view/rows/markdown.js';
import type { Theme } from '../view/theme.js';
import type { Size } from '../view/widget.js';
import { castMoments } from './recorded-cast.js';
import { RecordedRun } from './recorded-run.js';

const USUAL_SIZE: Size = { cols: 100, rows: 30 };
/** On a smaller one little of a conversation is seen. */
const LEAST_SIZE: Size = { cols: 80, rows: 24 };
/** How the pane looked, and which model there was, is not kept: the conversation is drawn alone. */
const start = { arrangements: { wide: presets[2].arrangement, medium: presets[2].arrangement }, header: ['name'], footer: [] } as const;

/** The function that draws. `theme` is asked for when it does. */
export function sessionDrawing(theme: () => Theme): DrawSession {
  let lex: Lex | null = null;
  void loadMarkdown().then((loaded) => {
    lex = loaded;
  });
  return (title, past, { cols, rows } = USUAL_SIZE) => {
    const size = { cols: Math.max(LEAST_SIZE.cols, cols), rows: Math.max(LEAST_SIZE.rows, rows) };
    return drawn(title, past, size, theme(), lex);
  };
}

function drawn(title: string, past: readonly PastEvent[], size: Size, theme: Theme, lex: Lex | null): string {
  const startMs = past[0]?.tsMs ?? 0;
  const lines = past.map(({ tsMs, event }, at) => ({ kind: 'event', seq: at + 1, tsMs, event, atMs: tsMs - startMs }) as const);
  const run = new RecordedRun(lines, { lex, draw: null, theme, size, start });
  return [...castLines({ size, title, startMs, colorDepth: 'truecolor' }, castMoments(run, size))].join('');
}
