/** replay: plays the screen that was recorded in a trace, on this terminal or into a file for asciinema. */

import { BuddyError, exitCodes } from '../base/errors.js';
import { fileTrouble, rmSync, systemCode, writeFileSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Invocation } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import { castLines } from '../tui/asciicast.js';
import { createFrames } from '../tui/frames.js';
import { openTerminal, type Terminal } from '../tui/terminal.js';
import { createComposer } from '../view/compose.js';
import { barParts, isBarShown, type Player, played, pressed, startPlayer, type Track } from '../view/player.js';
import { loadMarkdown } from '../view/rows/markdown.js';
import type { Theme } from '../view/theme.js';
import { SUSPEND_KEY } from '../view/trace-viewer.js';
import type { Frame, Size } from '../view/widget.js';
import { configOf } from './assembly-config.js';
import { loadedCharts } from './charts.js';
import { needScreen } from './needed-terminal.js';
import { castMoments } from './recorded-cast.js';
import { loadRun, type RecordedRun } from './recorded-run.js';
import { Themes } from './themes.js';

type ReplayRequest = Extract<Invocation, { kind: 'replay' }>;

/** How often a picture is looked for (milliseconds). */
const TICK_MS = 16;
/** What the system says when a file was begun and there is no room for the rest. */
const ROOMLESS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);
/** What a recording without a screen is drawn at. */
const USUAL_SIZE: Size = { cols: 100, rows: 30 };

/** Plays to the end and until it is left; or resolves when the file is written. Throws `terminal.*`, `trace.*` before anything is drawn. */
export async function replay(host: Host, request: ReplayRequest): Promise<number> {
  const { cast, file } = request;
  if (cast === null) needScreen(host, 'replay', 'A file for asciinema is written with --cast, and "buddy-tui trace" prints what happened.');
  const config = await configOf(host, request.options);
  const theme = new Themes(host, config).chosen(
    config.sources.has('display.theme') ? config.settings['display.theme'] : null,
    () => undefined,
  );
  const charts = await loadedCharts();
  const draw = charts.type === 'charts' ? charts.draw : null;
  const run = await loadRun(file, { lex: await loadMarkdown(), draw, theme, size: USUAL_SIZE });
  if (run.length === 0) throw new BuddyError('trace.line', `there is nothing in ${file} that can be shown`);
  if (cast !== null) return writeCast(host, run, cast, request, config);
  return host.exit(await untilOver(host, config, run, request.speed, theme));
}

function writeCast(host: Host, run: RecordedRun, path: string, { size, options }: ReplayRequest, config: LoadedConfig): number {
  const chosen = size ?? run.stateAt(0).size;
  const colorDepth = options.color && config.settings['display.color'] ? 'truecolor' : 'mono';
  const header = { size: chosen, title: 'buddy-tui', startMs: run.startMs, colorDepth } as const;
  const text = [...castLines(header, castMoments(run, chosen))].join('');
  host.stdout.on('error', () => undefined);
  if (path === '-') {
    host.stdout.write(text);
    return exitCodes.ok;
  }
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    const code = systemCode(thrown);
    // Half a recording looks like a whole one, and would be in the way of the next.
    if (code !== null && ROOMLESS.has(code)) rmSync(path, { force: true });
    const trouble = code === 'EEXIST' ? 'it is there already' : fileTrouble(thrown);
    throw new BuddyError('trace.cast', `cannot write ${path}: ${trouble}`, { cause: thrown });
  }
  return exitCodes.ok;
}

/** The moments of a run as a player knows them. */
function trackOf(run: RecordedRun): Track {
  return {
    times: run.times,
    durationMs: run.durationMs,
    prompts: run.prompts.map(({ moment }) => moment),
    changeFrom(moment, by) {
      const before = run.stateAt(moment);
      for (let at = moment + by; at >= 0 && at < run.length; at += by) if (run.stateAt(at) !== before) return at;
      return by < 0 ? -1 : run.length - 1;
    },
  };
}

async function untilOver(host: Host, config: LoadedConfig, run: RecordedRun, speed: number, theme: Theme): Promise<number> {
  const { clock } = host;
  const track = trackOf(run);
  const compose = createComposer();
  let player: Player = startPlayer(speed, clock.monotonic());
  let last: Frame | null = null;
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const terminal: Terminal = openTerminal(host, {
    color: config.settings['display.color'],
    glyphs: config.settings['display.glyphs'],
    mouse: false,
    title: false,
    onStop: (code) => end(code),
  });

  function picture(size: Size): Frame {
    try {
      last = compose({ ...run.stateAt(player.moment), size });
    } catch {
      // What a line of another making has left in the state cannot be drawn: the picture before stands.
    }
    const frame = last !== null && last.size.cols === size.cols && last.size.rows === size.rows ? last : { size, parts: [], cursor: null };
    if (!isBarShown(player, clock.monotonic())) return frame;
    const { skipped } = run;
    const note = skipped === 0 ? '' : `${skipped} ${skipped === 1 ? 'line' : 'lines'} left out`;
    return { ...frame, parts: [...frame.parts, ...barParts(player, track, size, theme, note)] };
  }

  const frames = createFrames({ clock, draw: () => terminal.present(picture(terminal.size)), sink: terminal });
  let beforeMs = clock.monotonic();
  let hadBar = true;
  const listening = [
    terminal.onInput((input) => {
      if (input.type !== 'key') return;
      player = pressed(player, track, input.key, clock.monotonic());
      if (player.over) end(exitCodes.ok);
      if (input.key === SUSPEND_KEY) terminal.suspend();
      frames.requestNow();
    }),
    terminal.onResize(() => frames.request()),
    clock.every(TICK_MS, () => {
      const nowMs = clock.monotonic();
      const { moment, positionMs } = player;
      player = played(player, track, nowMs - beforeMs);
      beforeMs = nowMs;
      const hasBar = isBarShown(player, nowMs);
      const isSecond = Math.floor(positionMs / 1000) !== Math.floor(player.positionMs / 1000);
      if (player.moment !== moment || hasBar !== hadBar || (hasBar && isSecond)) frames.request();
      hadBar = hasBar;
    }),
  ];
  frames.requestNow();
  try {
    return await ended;
  } finally {
    for (const entry of listening) entry.dispose();
    frames.dispose();
    terminal.close();
  }
}
