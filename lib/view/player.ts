/** A recorded screen being played, as a value: where it is, how fast it goes, what its keys do, and the bar at the bottom. Pure. */

import { formatElapsed } from '../base/duration.js';
import { type Row, rowOf } from '../base/style.js';
import { keyLabel } from './key-label.js';
import { segmentsWidth } from './rows/lines.js';
import type { Theme } from './theme.js';
import { SUSPEND_KEY } from './trace-viewer.js';
import type { Frame, Size } from './widget.js';
import { blanks, ends, fitted, piece } from './widgets/pieces.js';

/** What is played: the moments by their times, in milliseconds from the start. */
export interface Track {
  readonly times: readonly number[];
  readonly durationMs: number;
  /** The moments at which a prompt began. */
  readonly prompts: readonly number[];
  /** The next moment in that direction whose picture is another one; the end of the track when there is none. */
  changeFrom(moment: number, by: 1 | -1): number;
}

/** Where a player is. */
export interface Player {
  readonly positionMs: number;
  /** The last moment that has come; -1: none. */
  readonly moment: number;
  readonly playing: boolean;
  readonly speed: number;
  /** Never, while something is told, or always. */
  readonly bar: 'hidden' | 'shortly';
  /** Monotonic; until then the bar is there although it plays. */
  readonly barUntilMs: number;
  readonly over: boolean;
}

const SEEK_MS = 5000;
const BAR_MS = 2000;
const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;

/** Keys while it plays: the manual is printed from these rows. */
export const playerRows = [
  { id: 'pause', keys: ['space', 'p'], says: 'pause, or go on', hint: 'pause' },
  { id: 'forward', keys: ['right', 'l'], says: 'five seconds on', hint: '5 s' },
  { id: 'back', keys: ['left'], says: 'five seconds back' },
  { id: 'next', keys: ['.', 'down', 'j'], says: 'pause at the next change', hint: 'step' },
  { id: 'previous', keys: [',', 'up', 'k'], says: 'pause at the change before' },
  { id: 'nextPrompt', keys: [']', 'pagedown'], says: 'to the next prompt', hint: 'prompt' },
  { id: 'previousPrompt', keys: ['[', 'pageup'], says: 'to the prompt before' },
  { id: 'start', keys: ['home', 'g'], says: 'to the start' },
  { id: 'end', keys: ['end', 'G'], says: 'to the end' },
  { id: 'faster', keys: ['+', '='], says: 'faster', hint: 'faster' },
  { id: 'slower', keys: ['-'], says: 'slower' },
  { id: 'bar', keys: ['h'], says: 'hide the bar, or show it', hint: 'hide' },
  { id: 'suspend', keys: [SUSPEND_KEY], says: 'suspend; fg brings it back' },
  { id: 'leave', keys: ['q', 'escape', 'C-c'], says: 'leave', hint: 'leave' },
] as const;

/** At the start, going. */
export function startPlayer(speed: number, nowMs: number): Player {
  return { positionMs: 0, moment: -1, playing: true, speed, bar: 'shortly', barUntilMs: nowMs + BAR_MS, over: false };
}

/** The player after `passedMs`; at the end of the track it stands still. The very same value while it does. */
export function played(player: Player, track: Track, passedMs: number): Player {
  if (!player.playing) return player;
  const next = at(player, track, player.positionMs + passedMs * player.speed);
  return next.positionMs >= track.durationMs ? { ...next, playing: false } : next;
}

/** The player after a key, at a moment of the monotonic clock. */
export function pressed(player: Player, track: Track, key: string, nowMs: number): Player {
  const row = playerRows.find(({ keys }) => (keys as readonly string[]).includes(key));
  return row === undefined ? player : done({ ...player, barUntilMs: nowMs + BAR_MS }, track, row.id);
}

function done(player: Player, track: Track, id: (typeof playerRows)[number]['id']): Player {
  switch (id) {
    case 'pause':
      // At the end, going on is beginning again.
      if (!player.playing && player.positionMs >= track.durationMs) return { ...at(player, track, 0), playing: true };
      return { ...player, playing: !player.playing };
    case 'forward':
      return at(player, track, player.positionMs + SEEK_MS);
    case 'back':
      return at(player, track, player.positionMs - SEEK_MS);
    case 'next':
      return { ...toMoment(player, track, track.changeFrom(player.moment, 1)), playing: false };
    case 'previous':
      return { ...toMoment(player, track, track.changeFrom(player.moment, -1)), playing: false };
    case 'nextPrompt':
      return toMoment(player, track, track.prompts.find((moment) => moment > player.moment) ?? track.times.length - 1);
    case 'previousPrompt':
      return toMoment(player, track, track.prompts.findLast((moment) => moment < player.moment) ?? -1);
    case 'start':
      return at(player, track, 0);
    case 'end':
      return { ...at(player, track, track.durationMs), playing: false };
    case 'faster':
      return { ...player, speed: speeds.find((speed) => speed > player.speed) ?? player.speed };
    case 'slower':
      return { ...player, speed: speeds.findLast((speed) => speed < player.speed) ?? player.speed };
    case 'bar':
      return { ...player, bar: player.bar === 'hidden' ? 'shortly' : 'hidden' };
    case 'suspend':
      return { ...player, playing: false };
    case 'leave':
      return { ...player, over: true };
  }
}

function toMoment(player: Player, track: Track, moment: number): Player {
  return { ...player, moment, positionMs: Math.max(0, track.times[moment] ?? 0) };
}

function at(player: Player, track: Track, wantedMs: number): Player {
  const positionMs = Math.max(0, Math.min(track.durationMs, wantedMs));
  return { ...player, positionMs, moment: momentAt(track.times, positionMs) };
}

/** The last moment that has come at that time. */
function momentAt(times: readonly number[], positionMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= positionMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Is there a bar at that moment of the monotonic clock? */
export function isBarShown(player: Player, nowMs: number): boolean {
  return player.bar === 'shortly' && (!player.playing || nowMs < player.barUntilMs);
}

/** The bar over the last line of the screen. `note`: what is told besides. */
export function barParts(player: Player, track: Track, size: Size, theme: Theme, note: string): Frame['parts'] {
  if (size.rows < 1) return [];
  const { styles } = theme;
  const time = (ms: number) => formatElapsed(Math.floor(ms / 1000) * 1000).replace(/\.0 s$/, ' s');
  const speed = player.speed === 1 ? '' : ` ×${Number(player.speed.toFixed(2))}`;
  const head = [
    piece(player.playing ? ' ▶ ' : ' ■ ', styles.status_name),
    piece(` ${time(player.positionMs)} of ${time(track.durationMs)}${speed}${note === '' ? '' : ` · ${note}`} `, styles.status_line),
  ];
  const hints = playerRows.flatMap((row) => ('hint' in row ? [`${keyLabel(row.keys[0])} ${hintOf(row.id, row.hint, player)}`] : []));
  const tail = [piece(`${hints.join(' · ')} `, styles.status_line)];
  const room = size.cols - segmentsWidth(head);
  const row: Row =
    segmentsWidth(tail) < room
      ? ends(head, tail, size.cols, styles.status_line)
      : { ...rowOf(...fitted([...head, blanks(1, styles.status_line), ...tail], size.cols)), fill: styles.status_line };
  return [{ rect: { x: 0, y: size.rows - 1, cols: size.cols, rows: 1 }, rows: [row] }];
}

function hintOf(id: string, hint: string, player: Player): string {
  return id === 'pause' && !player.playing ? 'go on' : hint;
}
