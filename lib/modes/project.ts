/** The working folder as a question to the person: what it would bring along, and what they say to it. */

import { isAbsolute } from 'node:path';
import type { Host } from '../base/host.js';
import { firstUnseen } from '../base/visible.js';
import { type FoundProject, findProject, readProject, type TrustRecord } from '../config/project.js';
import { isCheckout, type ProjectFile, realFolder } from '../config/project-files.js';
import type { SettingKey } from '../config/settings.js';
import type { ProjectLine, ProjectListing, TrustChoice } from '../protocol/project.js';
import { listSessions } from '../runtime/sessions/session-list.js';
import { openSessionPlace } from './session-place.js';
import { keepTrust, readTrust } from './trust-store.js';

/** What the person's own configuration says, as far as it matters for a project. */
export interface OwnSettings {
  /** The file that they named, or theirs; null: none. */
  readonly file: string | null;
  readonly own: ReadonlyMap<SettingKey, unknown>;
}

/**
 * Does the folder come from elsewhere (it is a checkout, or has files for this program), and has the person not said that they trust it as
 * it is now? Never throws.
 */
export function isUntrustedFolder(host: Host, { file }: Pick<OwnSettings, 'file'>): boolean {
  const folder = realFolder(host.cwd);
  const found = findProject(host, file, (of) => readTrust(host).records.get(of) ?? null);
  return found.trust !== 'trusted' && (found.found.some(({ name, source }) => source !== null || !isAbsolute(name)) || isCheckout(folder));
}

/** Everything that a question about `folder` shows, as its files are now. */
export async function listProject(host: Host, folder: string, settings: OwnSettings, signal: AbortSignal): Promise<ProjectListing> {
  const found = findProject({ ...host, cwd: folder }, settings.file, (of) => readTrust(host).records.get(of) ?? null);
  const { lines } = await readProject(found, settings.own);
  const unread = found.found.flatMap(({ name, refusal }) => (refusal === null ? [] : [`${name} is not read: ${refusal}`]));
  const notes = [...unread, ...found.found.flatMap(unseenIn), ...(await foreignSessions(host, found.folder, signal))];
  const { trust, files, hash, record } = found;
  return { folder: found.folder, trust, files, lines, notes, hash, changes: changesOf(found, record, lines) };
}

/** A person who looks at such a file sees other words than it says. */
function unseenIn({ name, source }: ProjectFile): readonly string[] {
  // A byte order mark says nothing.
  const text = source?.replace(/^\ufeff/, '') ?? '';
  const at = firstUnseen(text);
  if (at < 0) return [];
  const code = text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, '0');
  return [
    `${name}:${text.slice(0, at).split('\n').length}: there are characters that cannot be seen (U+${code}): it may say more than it shows`,
  ];
}

/** Sessions that lie in the folder and were not begun in it by this person: they stay closed whatever is said. */
async function foreignSessions(host: Host, cwd: string, signal: AbortSignal): Promise<readonly string[]> {
  const { place } = openSessionPlace({ ...host, cwd }, (text) => text);
  const count = (await listSessions(place, '', host.clock, signal)).filter(({ foreign }) => foreign !== null).length;
  if (count === 0) return [];
  return [`${count === 1 ? 'one session' : `${count} sessions`} in .buddyx/sessions that you did not begin here: never opened`];
}

/** What is not as it was shown when the person said yes. */
function changesOf({ hash }: FoundProject, record: TrustRecord | null, lines: readonly ProjectLine[]): readonly string[] {
  if (record?.state !== 'trusted' || record.hash === hash) return [];
  const now = shownOf(lines);
  const before = new Map(Object.entries(record.shown));
  const changes = [
    ...[...now].flatMap(([key, says]) => {
      const old = before.get(key);
      if (old === undefined) return [`${key} is new: ${says}`];
      return old === says ? [] : [`${key} was: ${old}; it is now: ${says}`];
    }),
    ...[...before.keys()].filter((key) => !now.has(key)).map((key) => `${key} is gone`),
  ];
  return changes.length > 0 ? changes : ['the files have changed, but no key of them'];
}

function shownOf(lines: readonly ProjectLine[]): ReadonlyMap<string, string> {
  return new Map(lines.map(({ key, says }) => [key, says]));
}

/**
 * Keeps what the person said to `listing`, and answers whether it holds: not when the files are others by now. Throws as the trust store
 * does.
 */
export async function answerProject(
  host: Host,
  listing: ProjectListing,
  choice: TrustChoice,
  settings: OwnSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const { folder, hash, lines } = listing;
  if (choice === 'revoke') {
    await keepTrust(host, folder, null, signal);
    return true;
  }
  if (choice === 'trust' && findProject({ ...host, cwd: folder }, settings.file, () => null).hash !== hash) return false;
  const state = choice === 'trust' ? 'trusted' : 'muted';
  await keepTrust(host, folder, { state, hash, shown: Object.fromEntries(shownOf(lines)) }, signal);
  return true;
}
