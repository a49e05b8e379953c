/** What charts are asked for and what they come back as: who draws them is chosen outside, and loaded when the first one is wanted. */

/** A chart for a rectangle of cells. Labels are cut to plain letters by whoever draws. */
export type ChartRequest = { readonly cols: number; readonly rows: number } & (
  | { readonly kind: 'line'; readonly labels: readonly string[]; readonly values: readonly number[] }
  | { readonly kind: 'bar'; readonly bars: readonly { readonly label: string; readonly value: number; readonly text: string }[] }
  /** `share`: 0 to 1. */
  | { readonly kind: 'donut'; readonly parts: readonly { readonly label: string; readonly share: number }[] }
  | { readonly kind: 'gauge'; readonly share: number }
);

/** What a run of cells belongs to: themes colour it. `rest`: what is left of a whole. */
export type ChartInk = 'data' | 'rest' | 'axis' | 'label';

/** Cells beside each other, in one ink. */
export interface ChartRun {
  readonly text: string;
  readonly ink: ChartInk;
}

/** The rows of a chart, at most as many and as wide as asked. */
export type DrawChart = (request: ChartRequest) => readonly (readonly ChartRun[])[];

const EIGHTHS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** A row of small bars, the highest value at full height. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => EIGHTHS[Math.round((Math.max(0, value) / most) * (EIGHTHS.length - 1))]).join('');
}
