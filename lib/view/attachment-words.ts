/** What came with a prompt, in words. */

import { formatBytes } from '../base/duration.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { Attachment, AttachmentKind } from '../protocol/messages.js';

/** The answer of the runtime. */
export type ToldMentions = Extract<RuntimeEvent, { type: 'mentions.told' }>;

/** The mentions that were asked about, and what is known of them; null: nothing yet. */
export interface DraftBrought {
  readonly text: string;
  readonly told: ToldMentions | null;
}

/** `2 files · 14 kB · ~3.5k tokens`; '' when there is nothing to tell. Of `typed`, which is being written, it is not said that it is missing. */
export function broughtText({ told }: DraftBrought, typed: string | null): string {
  if (told === null) return '';
  const { attached, tokens, troubles } = told;
  const missing = told.missing.filter((raw) => typed?.startsWith(raw) !== true);
  const absent = missing.length === 0 ? [] : [`no such file: ${missing.join(', ')}`];
  const bytes = attached.reduce((sum, part) => sum + part.bytes, 0);
  const notes = attached.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]));
  const sizes = attached.length === 0 ? [] : [countedText(attached), formatBytes(bytes), `~${shortNumber(tokens)} tokens`];
  return [...sizes, ...notes, ...troubles, ...absent].join(' · ');
}

/** `notes.md 14 kB (the first 64 kB of 2 MB)`. */
export function attachmentText({ kind, name, bytes, note }: Attachment): string {
  const called = kind === 'screen' || kind === 'output' ? `@${name}` : name;
  return `${called} ${formatBytes(bytes)}${note === undefined ? '' : ` (${note})`}`;
}

const names: Readonly<Record<AttachmentKind, readonly [string, string]>> = {
  file: ['file', 'files'],
  folder: ['folder', 'folders'],
  image: ['image', 'images'],
  screen: ['screen', 'screens'],
  output: ['output', 'outputs'],
  resource: ['resource', 'resources'],
};

/** `2 files, 1 image`. */
function countedText(attached: readonly Attachment[]): string {
  const kinds = [...new Set(attached.map(({ kind }) => kind))];
  return kinds
    .map((kind) => {
      const count = attached.filter((part) => part.kind === kind).length;
      return `${count} ${names[kind][count === 1 ? 0 : 1]}`;
    })
    .join(', ');
}

/** `3.5k`, `812`. */
function shortNumber(value: number): string {
  return value < 1000 ? String(value) : `${(value / 1000).toFixed(1).replace(/\.0$/, '')}k`;
}
