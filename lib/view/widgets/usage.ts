/** The page of `/usage`: charts of what was used by turn and by model, and the numbers, in a window that scrolls. */

import { type Row, rowOf, rowText, type Segment } from '../../base/style.js';
import type { Visible } from '../../base/visible.js';
import { cellWidth } from '../../base/width.js';
import type { Spent } from '../../protocol/spent.js';
import type { ChartInk, ChartRequest, ChartRun, DrawChart } from '../charts.js';
import { inside, windowRect } from '../layout.js';
import { segmentsWidth } from '../rows/lines.js';
import { costText, inputText, outputText, tokenCount, tokensText } from '../spent.js';
import type { State } from '../state.js';
import type { Theme, ThemeToken } from '../theme.js';
import { isUsageShown, type ModelSpent, type Turn } from '../usage.js';
import type { Frame } from '../widget.js';
import { blanks, border, fitted, piece } from './pieces.js';

/** Charts stand beside each other when each gets so many cells. */
const CHART_CELLS = 45;
const MOST_BESIDE = 3;
const CHART_ROWS = 9;
/** Turns in the table. */
const TURNS_LISTED = 50;

const looks: Readonly<Record<ChartInk, ThemeToken>> = { data: 'accent', rest: 'muted', axis: 'border', label: 'muted' };

/** The row at the top, as far as there are rows. */
export function usageTop(state: State): number {
  const room = inside(windowRect(state.size)).rows;
  return Math.max(0, Math.min(state.usage.page?.top ?? 0, pageRows(state).length - room));
}

/** The window, while it is open. */
export function usageParts(state: State, theme: Theme): Frame['parts'] {
  if (!isUsageShown(state)) return [];
  const outer = windowRect(state.size);
  const inner = inside(outer);
  const all = pageRows(state);
  const top = usageTop(state);
  const rows = all.slice(top, top + inner.rows);
  const padded = [...rows, ...Array.from({ length: Math.max(0, inner.rows - rows.length) }, (): Row => ({ segments: [] }))];
  const foot = all.length > inner.rows ? [piece(`${top + 1}–${top + rows.length} of ${all.length}`, theme.styles.muted)] : [];
  const look = { title: [piece('usage', theme.styles.title)], foot, style: theme.styles.border_focused };
  return [{ rect: inner, rows: padded }, ...border(outer, look)];
}

/** The page as lines, for those who see no screen. */
export function usageLines(state: State, cols: number): readonly Visible[] {
  const rows = [...summary(state, cols), ...models(state, cols), ...turns(state, cols)];
  return rows.map((row) => rowText(row).trimEnd() as Visible);
}

/** All rows of the page, made again only when something on it has changed. */
function pageRows(state: State): readonly Row[] {
  const { usage, theme, context } = state;
  const { cols } = inside(windowRect(state.size));
  return state.layouts.remember('usage', [usage.turns, usage.models, usage.session, usage.draw, usage.trouble, context, theme, cols], () =>
    [...summary(state, cols), ...charts(state, cols), ...models(state, cols), ...turns(state, cols)].map((row) => ({
      ...row,
      segments: fitted(row.segments, cols),
    })),
  );
}

function summary({ usage, context, theme }: State, cols: number): readonly Row[] {
  const { all } = usage;
  const { styles } = theme;
  const line = (text: string) => rowOf(piece(` ${text}`, styles.text));
  if (all.requests === 0) return [line('No model has answered yet.'), ...trouble(usage.trouble, theme)];
  const cost = costText(all);
  const session = usage.session.requests === all.requests ? null : usage.session;
  const answers = `${all.requests} ${all.requests === 1 ? 'answer' : 'answers'}`;
  return [
    line(`${answers} · ${tokensText(all)}`),
    line(cost === null ? 'Prices are not known: no cost.' : `cost ${cost}${all.unpriced > 0 ? ' and what has no known price' : ''}`),
    ...(session === null ? [] : [line(`this session ${tokensText(session)}${costBehind(session)}`)]),
    ...(all.estimated === 0 ? [] : [line(`~ estimated: the server gave no figures for ${all.estimated} of ${answers}`)]),
    ...(context === null ? [] : contextRows(context, usage.draw, cols, theme)),
    ...trouble(usage.trouble, theme),
  ];
}

function contextRows(context: NonNullable<State['context']>, draw: DrawChart | null, cols: number, theme: Theme): readonly Row[] {
  const filled = share(context.usedTokens, context.windowTokens);
  const words = `context ${tokenCount(context.usedTokens)} of ${tokenCount(context.windowTokens)}, ${percent(filled)}`;
  const gauge = draw?.({ kind: 'gauge', share: filled, cols: Math.min(60, cols - 2), rows: 1 })[0] ?? [];
  const rows = [rowOf(piece(` ${words}`, theme.styles.text))];
  return gauge.length === 0 ? rows : [...rows, rowOf(...gauge.map((run) => inked(run, theme)))];
}

function trouble(text: string | null, { styles }: Theme): readonly Row[] {
  return text === null ? [] : [rowOf(piece(` ${text}`, styles.warning))];
}

function costBehind(spent: Spent): string {
  const cost = costText(spent);
  return cost === null ? '' : ` · ${cost}`;
}

/** A chart with its heading; the request lacks only the size. */
interface Chart {
  readonly heading: string;
  readonly ask: (size: { readonly cols: number; readonly rows: number }) => ChartRequest;
}

function charts(state: State, cols: number): readonly Row[] {
  const { usage, theme } = state;
  const { draw } = usage;
  if (draw === null || usage.all.requests === 0) return [];
  const wanted = chartsOf(state, cols);
  const perRow = Math.max(1, Math.min(MOST_BESIDE, Math.floor(cols / CHART_CELLS)));
  const wide = Math.floor((cols - 2) / perRow) - 1;
  const blocks = wanted.map(({ heading, ask }) => {
    const request = ask({ cols: wide - 1, rows: CHART_ROWS });
    const rows = draw(request).map((runs) => runs.map((run) => inked(run, theme)));
    return [[piece(heading, theme.styles.title)], ...rows];
  });
  const rows: Row[] = [];
  for (let at = 0; at < blocks.length; at += perRow) {
    const beside = blocks.slice(at, at + perRow);
    rows.push({ segments: [] });
    const height = Math.max(...beside.map((block) => block.length));
    for (let y = 0; y < height; y++) rows.push(rowOf(...beside.flatMap((block) => cellsOf(block[y] ?? [], wide, theme))));
  }
  return rows;
}

function chartsOf({ usage }: State, cols: number): readonly Chart[] {
  const counted = usage.turns.filter((turn) => turn.requests > 0).slice(-Math.max(10, Math.floor(cols / 3)));
  const labels = counted.map((turn) => `#${turn.task}`);
  const perTurn = (heading: string, of: (turn: Turn) => number, words: (value: number) => string): Chart => ({
    heading: `${heading} per turn · last ${words(of(counted.at(-1) as Turn))} · most ${words(Math.max(...counted.map(of)))}`,
    ask: (size) => ({ kind: 'line', labels, values: counted.map(of), ...size }),
  });
  const hasCost = costText(usage.all) !== null;
  const weight = (model: ModelSpent) => (hasCost ? model.cost : model.inputTokens + model.outputTokens);
  const ranked = [...usage.models].sort((a, b) => weight(b) - weight(a));
  const weightText = (model: ModelSpent) => (hasCost ? (costText(model) ?? '?') : tokenCount(weight(model)));
  const cached = share(usage.all.cachedTokens ?? 0, usage.all.inputTokens);
  const thinking = share(usage.all.reasoningTokens ?? 0, usage.all.outputTokens);
  return [
    ...(counted.length === 0
      ? []
      : [
          perTurn('in', (turn) => turn.inputTokens, tokenCount),
          perTurn('out', (turn) => turn.outputTokens, tokenCount),
          ...(hasCost
            ? [
                perTurn(
                  'cents',
                  (turn) => turn.cost * 100,
                  (cents) => cents.toFixed(2),
                ),
              ]
            : []),
        ]),
    {
      heading: `${hasCost ? 'cost' : 'tokens'} by model: ${ranked.map((model) => `${model.profile} ${weightText(model)}`).join(', ')}`,
      ask: (size) => ({
        kind: 'bar',
        bars: ranked.map((model) => ({ label: model.profile, value: weight(model), text: weightText(model) })),
        ...size,
      }),
    },
    {
      heading: `cached ${percent(cached)} of in, thinking ${percent(thinking)} of out`,
      ask: (size) => ({
        kind: 'donut',
        parts: [
          { label: 'cached', share: cached },
          { label: 'thinking', share: thinking },
        ],
        ...size,
      }),
    },
  ];
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, part / whole);
}

function percent(of: number): string {
  return `${Math.round(of * 100)} %`;
}

function inked(run: ChartRun, theme: Theme): Segment {
  return piece(run.text, theme.styles[looks[run.ink]]);
}

/** A part of a row: so many cells, and a blank before it. */
function cellsOf(segments: readonly Segment[], cells: number, { styles }: Theme): readonly Segment[] {
  const shown = fitted([blanks(1, styles.text), ...segments], cells);
  return [...shown, blanks(cells - segmentsWidth(shown), styles.text)];
}

/** Columns of numbers; the first column is what they are of. */
function table(heads: readonly string[], lines: readonly (readonly string[])[], cols: number, { styles }: Theme): readonly Row[] {
  const widths = heads.slice(1).map((head, at) => Math.max(cellWidth(head), ...lines.map((cells) => cellWidth(cells[at + 1] ?? ''))));
  const first = Math.max(8, Math.min(44, cols - 2 - widths.reduce((sum, width) => sum + width + 2, 0)));
  const row = (cells: readonly string[], token: ThemeToken) => {
    const name = fitted([piece(cells[0] ?? '', styles[token])], first);
    const numbers = widths.map((width, at) => `  ${(cells[at + 1] ?? '').padStart(width)}`).join('');
    return rowOf(blanks(1, styles.text), ...name, blanks(first - segmentsWidth(name), styles.text), piece(numbers, styles[token]));
  };
  return [{ segments: [] }, row(heads, 'title'), ...lines.map((cells) => row(cells, 'text'))];
}

function models({ usage, theme }: State, cols: number): readonly Row[] {
  if (usage.models.length === 0) return [];
  const lines = usage.models.map((spent) => [`${spent.profile} (${spent.model})`, ...numbers(spent, usage.all)]);
  return table(['model', ...numberHeads(usage.all)], lines, cols, theme);
}

function turns({ usage, theme }: State, cols: number): readonly Row[] {
  const answered = usage.turns.filter((turn) => turn.requests > 0);
  if (answered.length === 0) return [];
  const listed = answered.slice(-TURNS_LISTED).reverse();
  const lines = listed.map((turn) => [`#${turn.task} ${turn.text}`, ...numbers(turn, usage.all)]);
  const more = answered.length - listed.length;
  const note = more > 0 ? [rowOf(piece(` and ${more} before`, theme.styles.muted))] : [];
  return [...table(['turn', ...numberHeads(usage.all)], lines, cols, theme), ...note];
}

/** The columns: what no server bills or says has none. */
function numberHeads({ cacheWriteTokens, reasoningTokens }: Spent): readonly string[] {
  return ['in', 'cached', ...(cacheWriteTokens ? ['written'] : []), 'out', ...(reasoningTokens ? ['thinking'] : []), 'cost'];
}

function numbers(spent: Spent, all: Spent): readonly string[] {
  const part = (tokens: number | null) => (tokens === null ? '–' : tokenCount(tokens));
  return [
    inputText(spent),
    part(spent.cachedTokens),
    ...(all.cacheWriteTokens ? [part(spent.cacheWriteTokens)] : []),
    outputText(spent),
    ...(all.reasoningTokens ? [part(spent.reasoningTokens)] : []),
    costText(spent) ?? '–',
  ];
}
