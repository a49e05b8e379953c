/** Traces that somebody else wrote: whatever stands in them, they are played to their end, and no terminal obeys them. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visible } from '../../lib/base/visible.js';
import { slashCommands } from '../../lib/commands/index.js';
import { castMoments } from '../../lib/modes/recorded-cast.js';
import { loadRun } from '../../lib/modes/recorded-run.js';
import { ContextCounter, contextLines } from '../../lib/modes/trace-context.js';
import { SummaryCounter, summaryLines } from '../../lib/modes/trace-summary.js';
import { eventOfTurn, turnLines } from '../../lib/modes/trace-turn.js';
import { TurnCounter } from '../../lib/modes/trace-turns.js';
import { readTraceLine } from '../../lib/runtime/trace-lines.js';
import { castLines } from '../../lib/tui/asciicast.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { initialState } from '../../lib/view/state.js';
import { detailOf, entryOf } from '../../lib/view/trace-entry.js';
import { nextHappening } from '../screen/fuzz/happenings.js';
import { createRandom, type Random } from '../screen/fuzz/random.js';
import { theme } from '../view/support/picture.js';
import { recordedRun } from './support/recorded-run.js';
import { tracedLines, writeTrace } from './support/trace-lines.js';

const lex = await loadMarkdown();
const size = { cols: 80, rows: 24 };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const odd: readonly unknown[] = [
  null,
  -1,
  0,
  1e9,
  1e308,
  0.5,
  '',
  'x',
  '\x1b]0;title\x07',
  '\x1b[2J\u009b31m\u202e',
  true,
  [],
  {},
  [null],
  { type: 'x' },
  [[[]]],
];

/** `value` with something in it put in the place of something else. */
function spoiled(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.rarely(6)) return random.one(odd);
  const entries = Object.entries(value);
  if (entries.length === 0) return random.one(odd);
  const at = random.number(entries.length);
  const changed = entries.flatMap(([name, field], place): [string, unknown][] => {
    if (place !== at) return [[name, field]];
    return random.rarely(8) ? [] : [[name, spoiled(field, random)]];
  });
  return Array.isArray(value) ? changed.map(([, field]) => field) : Object.fromEntries(changed);
}

/** The lines of a run in which all sorts of things happen. */
async function anyRun(random: Random): Promise<readonly string[]> {
  const run = recordedRun(initialState({ size, theme, version: '9', nowMs: 1000 }), folder);
  run.dispatch({ type: 'commands.loaded', commands: slashCommands });
  for (let step = 0; step < 120; step++) {
    const happening = nextHappening(random, run.state().size, run.clock.now());
    if (happening.kind === 'event') run.tell(happening.event);
    if (happening.kind === 'input') run.hear(happening.input);
  }
  run.trace.close();
  return readFileSync(join(folder, 'trace.jsonl'), 'utf8').trimEnd().split('\n');
}

test.each(Array.from({ length: 6 }, (_, at) => at))(
  'a trace with much in it changed is played, and shown as it is: seed %i',
  async (seed) => {
    const random = createRandom(seed);
    const lines = [...tracedLines, ...(await anyRun(random))].map((line) =>
      random.rarely(2) ? JSON.stringify(spoiled(JSON.parse(line), random)) : line,
    );
    for (const line of lines) {
      const { name, words } = entryOf(line, true);
      expect(`${name}${words}`.length).toBeLessThan(2000);
      expect(detailOf(line).join('\n')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    }
    const read = lines.map(readTraceLine).flatMap((line) => ('problem' in line ? [] : [line]));
    expect(read.length).toBeGreaterThan(20);
    const counters = [new SummaryCounter(), new ContextCounter(), new TurnCounter()] as const;
    for (const line of read) for (const counter of counters) counter.take(line);
    const [summary, context, { turns }] = counters;
    const events = read.flatMap((line) => eventOfTurn(line) ?? []);
    const printed = [
      ...summaryLines(summary.summary()),
      ...contextLines(context.steps),
      ...turns.flatMap((turn) => turnLines(turn, 1, events)),
    ];
    expect(visible(printed.join('\n'))).toBe(printed.join('\n'));
    const run = await loadRun(writeTrace(join(folder, 'spoiled.jsonl'), lines), { lex, draw: null, theme, size });
    const cast = [...castLines({ size, title: 'x', startMs: 0, colorDepth: 'truecolor' }, castMoments(run, size))];
    const bytes = cast.flatMap((line) => {
      const event = JSON.parse(line);
      return Array.isArray(event) && event[1] === 'o' ? [String(event[2])] : [];
    });
    expect(bytes.length).toBeGreaterThan(2);
    // What is left when all that we draw with is taken away holds nothing that a terminal obeys.
    const rest = bytes.join('').replace(/\x1b\[(?:\d+;)*\d*[HJKCXm]|\x1b\[\?(?:7l|25[hl])/g, '');
    expect(rest).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  },
);
