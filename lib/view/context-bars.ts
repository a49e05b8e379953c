/** What fills the context window, as bars and as words. */

import type { ContextKind, ModelSummary, RuntimeEvent } from '../protocol/events.js';
import { tokenCount } from './spent.js';

type Told = Extract<RuntimeEvent, { type: 'context.told' }>;

/** A bar has so many cells, and fewer in a narrow pane: names and numbers need their place too. */
const MOST_CELLS = 30;
const FEWEST_CELLS = 8;
const BESIDE_CELLS = 50;

const names: Readonly<Record<ContextKind, string>> = {
  instructions: 'instructions',
  tools: 'tools',
  prompts: 'prompts and notes',
  answers: 'answers and calls',
  results: 'results of tools',
  terminal: 'terminal now',
};

/** One line of the list. */
interface Line {
  readonly name: string;
  readonly tokens: number;
  readonly share: number;
  readonly isFree: boolean;
}

function usedTokens({ parts }: Told): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

function linesOf(told: Told): readonly Line[] {
  const { parts, windowTokens } = told;
  const share = (tokens: number) => (windowTokens > 0 ? Math.min(1, tokens / windowTokens) : 0);
  const filled = parts.map(({ kind, tokens, count }) => ({
    name: count === null ? names[kind] : `${names[kind]} (${count})`,
    tokens,
    share: share(tokens),
    isFree: false,
  }));
  const free = Math.max(0, windowTokens - usedTokens(told));
  return windowTokens > 0 ? [...filled, { name: 'free', tokens: free, share: share(free), isFree: true }] : filled;
}

/** A part that there is has a cell at least. */
function bar({ share, isFree, tokens }: Line, whole: number): string {
  const cells = Math.max(tokens > 0 ? 1 : 0, Math.round(share * whole));
  return (isFree ? '░' : '█').repeat(cells).padEnd(whole);
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`;
}

function head(told: Told): string {
  const { windowTokens, isMeasured } = told;
  const used = usedTokens(told);
  const of = windowTokens > 0 ? ` of ${tokenCount(windowTokens)} tokens, ${percent(used / windowTokens)}` : ' tokens';
  return `~${tokenCount(used)}${of} (an estimate${isMeasured ? ', corrected by what the server counted' : ': the server has not counted yet'})`;
}

/** A bar for each part, measured against the whole window, in a pane of so many columns. */
export function contextText(told: Told, model: ModelSummary | null, cols: number): string {
  const whole = Math.max(FEWEST_CELLS, Math.min(MOST_CELLS, cols - BESIDE_CELLS));
  const lines = linesOf(told);
  const widest = Math.max(...lines.map(({ name }) => name.length));
  const rows = lines.map(
    (line) =>
      `  ${line.name.padEnd(widest)}  ${bar(line, whole)}  ${tokenCount(line.tokens).padStart(6)}  ${percent(line.share).padStart(5)}`,
  );
  return [`context${model === null ? '' : ` of ${model.profile}`}: ${head(told)}`, ...rows, ...fileLines(told)].join('\n');
}

/** The files among the instructions. Of a skill only what it is for is there until it is read. */
function fileLines({ files = [] }: Told): readonly string[] {
  return files.length === 0
    ? []
    : ['files among the instructions:', ...files.map(({ path, tokens }) => `  ${path}  ${tokenCount(tokens)}`)];
}

/** The same without bars, for those who see no screen. */
export function contextWords(told: Told): readonly string[] {
  const parts = linesOf(told).map(({ name, tokens, share }) => `${name}: ${tokenCount(tokens)}, ${percent(share)}`);
  return [`Context: ${head(told)}`, ...parts, ...fileLines(told)];
}
