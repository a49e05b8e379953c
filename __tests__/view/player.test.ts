/** A recorded screen being played: time, keys, and the bar. */

import { barParts, isBarShown, type Player, played, playerRows, pressed, startPlayer, type Track } from '../../lib/view/player.js';
import { picture, theme } from './support/picture.js';

/** A change each second, a prompt at 3 s and at 7 s; the moment at 5 s changes nothing. */
const track: Track = {
  times: [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000],
  durationMs: 10_000,
  prompts: [3, 7],
  changeFrom: (moment, by) => Math.max(-1, Math.min(10, moment + by === 5 ? 5 + by : moment + by)),
};
const start = startPlayer(1, 0);
const press = (player: Player, ...keys: readonly string[]) => keys.reduce((now, key) => pressed(now, track, key, 0), player);
const bar = (player: Player, cols = 100) =>
  picture({ size: { cols, rows: 3 }, parts: barParts(player, track, { cols, rows: 3 }, theme, ''), cursor: null })[2];

test('time brings the moments, at the speed that was chosen, to the end', () => {
  expect(played(start, track, 2500)).toMatchObject({ positionMs: 2500, moment: 2, playing: true });
  expect(played(press(start, '+', '+'), track, 1000)).toMatchObject({ positionMs: 4000, moment: 4, speed: 4 });
  expect(played(press(start, '-'), track, 1000)).toMatchObject({ positionMs: 500, moment: 0, speed: 0.5 });
  const ended = played(start, track, 60_000);
  expect(ended).toMatchObject({ positionMs: 10_000, moment: 10, playing: false });
  expect(played(ended, track, 1000)).toBe(ended);
  expect(press(ended, 'space')).toMatchObject({ positionMs: 0, moment: 0, playing: true });
});

test('Space pauses; arrows seek and step; brackets go by prompts', () => {
  const paused = press(played(start, track, 4000), 'space');
  expect(played(paused, track, 5000)).toBe(paused);
  expect(press(paused, 'right')).toMatchObject({ positionMs: 9000, moment: 9 });
  expect(press(paused, 'left')).toMatchObject({ positionMs: 0, moment: 0 });
  expect(press(paused, '.')).toMatchObject({ moment: 6, positionMs: 6000, playing: false });
  expect(press(paused, 'down', 'up')).toMatchObject({ moment: 4 });
  expect(press(played(start, track, 1000), '.')).toMatchObject({ moment: 2, playing: false });
  expect(press(start, ']')).toMatchObject({ moment: 3 });
  expect(press(start, ']', ']', ']')).toMatchObject({ moment: 10 });
  expect(press(start, 'G', '[')).toMatchObject({ moment: 7, positionMs: 7000 });
  expect(press(start, 'G', 'g')).toMatchObject({ positionMs: 0 });
  expect(press(start, 'q').over).toBe(true);
  expect(press(start, 'x')).toBe(start);
});

test('speeds end somewhere', () => {
  expect(press(start, ...Array.from({ length: 20 }, () => '+')).speed).toBe(64);
  expect(press(start, ...Array.from({ length: 20 }, () => '-')).speed).toBe(0.25);
});

test('the bar is there while it stands still, a moment after a key, and never when it is hidden', () => {
  expect(isBarShown(start, 1999)).toBe(true);
  expect(isBarShown(start, 2000)).toBe(false);
  expect(isBarShown(pressed(start, track, '+', 5000), 6999)).toBe(true);
  expect(isBarShown(press(start, 'space'), 99_000)).toBe(true);
  expect(isBarShown(press(start, 'space', 'h'), 99_000)).toBe(false);
});

test('what the bar says', () => {
  expect(bar(played(press(start, '+'), track, 1200))).toBe(
    ' ▶  2 s of 10 s ×2            Space pause · → 5 s · . step · ] prompt · + faster · h hide · q leave',
  );
  expect(bar(press(start, 'space'), 30)).toBe(' ■  0 s of 10 s  Space go on …');
  expect(bar(start, 3)).toBe(' …');
});

test('no key means two things', () => {
  const keys = playerRows.flatMap((row) => row.keys as readonly string[]);
  expect(new Set(keys).size).toBe(keys.length);
});
