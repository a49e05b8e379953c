/**
 * The only file that knows blessed-contrib (4.11.0). Its charts are widgets that draw on a canvas of their own: here each is drawn
 * without a screen, and the canvas is read back as rows. Loading it takes 0.1 s, so it is loaded when the first chart is wanted.
 */

import { createRequire } from 'node:module';
import type { ChartInk, ChartRequest, ChartRun, DrawChart } from '../view/charts.js';

/** A canvas of drawille (2×4 dots in a cell) or of ansi-term (a cell is a dot). */
interface Canvas {
  getContext(): { readonly _canvas: { frame(): string } };
}

/** What we use of a widget. */
interface ChartWidget {
  readonly prototype: { calcSize(): void; setData(data: unknown): void };
}

interface Parts {
  readonly Line: ChartWidget;
  readonly Bar: ChartWidget;
  readonly Donut: ChartWidget;
  readonly Gauge: ChartWidget;
  readonly Canvas: new (width: number, height: number, kind?: unknown) => Canvas;
  readonly Blocks: unknown;
}

/** Colours are names for inks here: what a widget draws in one of them is that ink. */
const color = { data: 'green', rest: 'blue', axis: 'yellow', label: 'white' } as const satisfies Record<ChartInk, string>;
const inkOf: Readonly<Record<string, ChartInk>> = { 2: 'data', 3: 'axis', 4: 'rest', 7: 'label' };

/** What is left of a whole. */
const REST = '·';
/** A cell that is filled: it shows without colours, too. */
const FILLED = '█';
/** The row of a gauge in its canvas. */
const GAUGE_ROW = 2;

/** How much larger than what it draws a widget has to be. */
const margin = { line: { cols: 6, rows: 3 }, bar: { cols: 2, rows: 2 }, donut: { cols: 3, rows: 3 }, gauge: { cols: 5, rows: 5 } } as const;

/** Loads the charts. Throws when the package is not there. */
export function loadCharts(): DrawChart {
  const require = createRequire(import.meta.url);
  const own = createRequire(require.resolve('blessed-contrib/lib/widget/canvas'));
  const parts: Parts = {
    Line: require('blessed-contrib/lib/widget/charts/line'),
    Bar: require('blessed-contrib/lib/widget/charts/bar'),
    Donut: require('blessed-contrib/lib/widget/donut'),
    Gauge: require('blessed-contrib/lib/widget/gauge'),
    Canvas: own('drawille-canvas-blessed-contrib').Canvas,
    Blocks: own('ansi-term'),
  };
  return (request) => {
    const rows = runsOf(draw(parts, request));
    return request.kind === 'gauge'
      ? [cropped((rows[GAUGE_ROW] ?? []).map(notFilled), request)]
      : rows.slice(0, request.rows).map((row) => cropped(row, request));
  };
}

function draw(parts: Parts, request: ChartRequest): string {
  switch (request.kind) {
    case 'line':
      return drawLine(parts, request);
    case 'bar':
      return drawBars(parts, request);
    case 'donut':
      return drawDonuts(parts, request);
    case 'gauge':
      return painted(parts, parts.Gauge, request, { stroke: color.data, fill: color.label, showLabel: false }, request.share, parts.Blocks);
  }
}

function drawLine(parts: Parts, request: Extract<ChartRequest, { kind: 'line' }>): string {
  const { labels, values, rows } = request;
  const most = Math.max(0, ...values) || 1;
  // One value would be no line.
  const y = values.length === 1 ? [...values, ...values] : values;
  const x = y.map((_, at) => plainLabel(labels[at] ?? '', 6));
  const look = {
    style: { line: color.data, text: color.label, baseline: color.axis },
    ...{ showNthLabel: 1, xLabelPadding: 5, xPadding: 10, numYLabels: Math.max(1, Math.floor(rows / 3)) },
    ...{ legend: {}, wholeNumbersOnly: false, abbreviate: most >= 1000, minY: 0, maxY: most * 1.1 },
  };
  return painted(parts, parts.Line, request, look, [{ x, y }]);
}

function drawBars(parts: Parts, request: Extract<ChartRequest, { kind: 'bar' }>): string {
  const { bars, cols } = request;
  const barSpacing = Math.max(6, Math.min(14, Math.floor(cols / Math.max(1, bars.length))));
  const barWidth = barSpacing - 3;
  const look = {
    ...{ barWidth, barSpacing, xOffset: 0, showText: true, maxHeight: 0 },
    ...{ barBgColor: color.data, barFgColor: color.label, labelColor: color.label },
  };
  const shown = bars.slice(0, Math.max(1, Math.floor(cols / barSpacing)));
  // It reckons with a value and writes its words.
  const data = shown.map(({ value, text }) => ({ valueOf: () => value, toString: () => plainLabel(text, barWidth) }));
  const titles = shown.map(({ label }) => plainLabel(label, barWidth + 1));
  return painted(parts, parts.Bar, request, look, { titles, data }, parts.Blocks);
}

function drawDonuts(parts: Parts, request: Extract<ChartRequest, { kind: 'donut' }>): string {
  const { cols, rows, parts: slices } = request;
  const radius = Math.max(4, Math.min(rows * 2 - 7, Math.floor(cols / Math.max(1, slices.length)) - 2));
  const look = { radius, arcWidth: Math.max(2, Math.floor(radius / 3)), spacing: 2, yPadding: 2, remainColor: color.rest };
  const data = slices.map(({ label, share }) => ({ label: plainLabel(label, 12), percent: share, color: color.data }));
  return painted(parts, parts.Donut, request, { ...look, stroke: color.data, fill: color.label, data: [] }, data);
}

/** Lets a widget draw without a screen: its own size, options and canvas are all that it looks at. */
function painted(parts: Parts, kind: ChartWidget, request: ChartRequest, options: object, data: unknown, blocks?: unknown): string {
  const { cols, rows } = margin[request.kind];
  const size = { width: request.cols + cols, height: request.rows + rows };
  const widget = Object.assign(
    Object.create(kind.prototype, Object.fromEntries(Object.entries(size).map(([name, value]) => [name, { value }]))),
    {
      options,
    },
  );
  widget.calcSize();
  const canvas = new parts.Canvas(widget.canvasSize.width, widget.canvasSize.height, blocks);
  widget.ctx = canvas.getContext();
  widget.setData(data);
  return widget.ctx._canvas.frame();
}

/** A gauge draws nothing where it is empty. */
function notFilled(run: ChartRun, at: number): ChartRun {
  return run.text === ' ' && at > 0 ? { text: REST, ink: 'rest' } : run;
}

/** A label that is one cell for each of its characters. */
function plainLabel(text: string, cells: number): string {
  return text.replace(/[^\x20-\x7e]/gu, '?').slice(0, cells) || ' ';
}

/** The rows of a canvas, its colours read as inks. */
function runsOf(frame: string): readonly (readonly ChartRun[])[] {
  return frame.split('\n').map((line) => {
    let ink: ChartInk = 'axis';
    let ground: ChartInk | null = null;
    const runs: ChartRun[] = [];
    for (const [, code, character = ''] of line.matchAll(/\x1b\[(\d+)m|([\s\S])/g)) {
      if (code === undefined) runs.push(cellOf(character, ink, ground));
      else if (code.startsWith('3')) ink = inkOf[code.slice(1)] ?? 'axis';
      else ground = inkOf[code.slice(1)] ?? null;
    }
    return runs;
  });
}

function cellOf(character: string, ink: ChartInk, ground: ChartInk | null): ChartRun {
  if (character === ' ' && ground !== null) return { text: FILLED, ink: ground };
  if (ink === 'rest' && character !== ' ') return { text: REST, ink };
  return { text: character, ink };
}

/** The first cells of a row, with what is in one ink together. */
function cropped(cells: readonly ChartRun[], { cols }: ChartRequest): readonly ChartRun[] {
  const runs: ChartRun[] = [];
  for (const { text, ink } of cells.slice(0, cols)) {
    const last = runs.at(-1);
    if (last?.ink === ink) runs[runs.length - 1] = { text: last.text + text, ink };
    else runs.push({ text, ink });
  }
  return runs;
}
