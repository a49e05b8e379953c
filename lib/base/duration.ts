/** Durations, sizes and moments as people write them: `90`, `10m`, `1h30m`, `250ms`. */

import { BuddyError } from './errors.js';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds in `text`; a bare number is seconds. Throws `usage.duration` when it is no positive duration. */
export function parseDuration(text: string): number {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed) && Number(trimmed) > 0) return Number(trimmed) * 1000;
  let total = 0;
  let rest = trimmed;
  while (rest !== '') {
    const part = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)/.exec(rest);
    if (part === null) break;
    total += Number(part[1]) * (unitMs[part[2] ?? ''] ?? 0);
    rest = rest.slice(part[0].length);
  }
  if (rest !== '' || !(total > 0) || !Number.isFinite(total)) {
    throw new BuddyError('usage.duration', `"${text}" is not a duration`, { hint: 'Write for example 30s, 10m or 1h30m.' });
  }
  return total;
}

/** `ms` for a narrow column: `0.8 s`, `12 s`, `3:05`, `1:02:09`. */
export function formatElapsed(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** How long ago something was, for a list: `now`, `12 min ago`, `3 h ago`, `5 d ago`. */
export function formatAgo(ms: number): string {
  if (ms < 60_000) return 'now';
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  return ms < 86_400_000 ? `${Math.floor(ms / 3_600_000)} h ago` : `${Math.floor(ms / 86_400_000)} d ago`;
}

/** `bytes` for people: `812 B`, `4.0 kB`, `2.7 MB` (decimal units, as disks and pipes are counted). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** A moment on this machine's own clock: `2026-11-28 03:07`. */
export function formatMoment(ms: number): string {
  const at = new Date(ms);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
