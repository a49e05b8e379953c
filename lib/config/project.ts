/** What a project's file says, key by key: what of it would hold, and what is refused whoever trusts it. */

import { createHash } from 'node:crypto';
import { messageOf } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visibleLine } from '../base/visible.js';
import type { FolderState, FolderTrust, ProjectLine } from '../protocol/project.js';
import { launchWords, readMcpJson } from './mcp-servers.js';
import { ownFolders } from './own-folders.js';
import { findProjectFiles, hashOf, type ProjectFile, type ProjectPart, projectParts, realFolder } from './project-files.js';
import { refusalReason } from './project-rule.js';
import { type SettingKey, type SettingRow, settingRows } from './settings.js';
import { isTable, lineOf, parseToml, type TomlTable } from './toml.js';

const rows: Readonly<Record<string, SettingRow<unknown>>> = settingRows;
/** Of a value so much is shown. */
const SHOWN = 60;
/** More keys than this are nobody's settings. */
const MOST_LINES = 500;
/** So many refusals are told at a start. */
const MOST_TOLD = 5;
/** So many names are told in a sentence. */
const MOST_NAMED = 4;

/** What the person said of a folder earlier. */
export interface TrustRecord {
  readonly state: 'trusted' | 'muted';
  /** Of the files that were shown. */
  readonly hash: string;
  /** What was shown of each key. */
  readonly shown: Readonly<Record<string, string>>;
}

/** The working folder as it is found. */
export interface FoundProject extends FolderState {
  readonly found: readonly ProjectFile[];
  readonly hash: string;
  readonly record: TrustRecord | null;
}

/** What has to be known of the process: `Host` without the rest. */
type Place = Pick<Host, 'cwd' | 'env' | 'homeDir' | 'uid'>;

/** Looks at the working folder; `used` is a file that the person named. Never throws. */
export function findProject(place: Place, used: string | null, recordOf: (folder: string) => TrustRecord | null): FoundProject {
  const folder = realFolder(place.cwd);
  const found = findProjectFiles(folder, { uid: place.uid, file: used, folders: ownFolders(place) });
  const files = found.filter(({ source }) => source !== null).map(({ name }) => name);
  const record = recordOf(folder);
  const hash = hashOf(found);
  return { folder, found, hash, record, trust: trustOf(files, hash, record), files };
}

function trustOf(files: readonly string[], hash: string, record: TrustRecord | null): FolderTrust {
  if (record?.state === 'muted') return 'muted';
  if (record === null) return files.length === 0 ? 'nothing' : 'untrusted';
  return record.hash === hash ? 'trusted' : 'changed';
}

/** What a project's files would do to the person's own settings. */
export interface ReadProject {
  readonly lines: readonly ProjectLine[];
  /** What holds when the folder is trusted: setting, value, and the file that says so. */
  readonly values: ReadonlyMap<SettingKey, { readonly value: unknown; readonly path: string }>;
  /** Names of the model profiles that it has, and where; they are never used. */
  readonly profiles: ReadonlyMap<string, string>;
}

/** A project that says nothing. */
export const emptyProject: ReadProject = { lines: [], values: new Map(), profiles: new Map() };

/** Reads them; `own` are the settings of the person's file, without what is left out there. Never throws. */
export async function readProject({ found }: Pick<FoundProject, 'found'>, own: ReadonlyMap<SettingKey, unknown>): Promise<ReadProject> {
  const lines: ProjectLine[] = [];
  const values = new Map<SettingKey, { readonly value: unknown; readonly path: string }>();
  const profiles = new Map<string, string>();
  for (const { name, holds, path, source } of found) {
    if (source === null) continue;
    if (holds === 'mcp') {
      lines.push(...serverLines(name, source));
      continue;
    }
    if (holds !== 'settings') {
      lines.push({ key: name, where: name, says: partSays(holds, source), applies: true });
      continue;
    }
    const table = await parsed(source, name);
    if (typeof table === 'string') {
      lines.push({ key: name, where: name, says: `refused: ${table}`, applies: false });
      continue;
    }
    for (const key of keysOf(table)) {
      const where = placeOf(source, name, key);
      if (lines.length >= MOST_LINES) break;
      if (key[0] === 'models' && key[1] !== undefined) profiles.set(key[1], placeOf(source, name, key.slice(0, 2)));
      const verdict = judged(key.join('.'), valueAt(table, key), own);
      lines.push({ key: key.join('.'), where, says: verdict.says, applies: verdict.applies });
      if (verdict.applies) values.set(key.join('.') as SettingKey, { value: verdict.value, path });
    }
  }
  return { lines, values, profiles };
}

/** With its size and its sum: another content is another line. */
function partSays(holds: ProjectPart, source: string): string {
  const sum = createHash('sha256').update(source).digest('hex').slice(0, 12);
  return `${projectParts[holds].says} (${Buffer.byteLength(source)} bytes, sha256 ${sum}…)`;
}

/** Each server in full: with all that would be started, or where it would be asked. */
function serverLines(name: string, source: string): readonly ProjectLine[] {
  const { servers, faults } = readMcpJson(source, { from: name, isOwn: false });
  const key = (server: string) => (server === '' ? name : `mcp.servers.${server}`);
  return [
    ...servers.map(({ name: server, launch, isEnabled }) => {
      const does = launch.kind === 'stdio' ? 'would start' : 'would ask';
      const says = `${isEnabled ? does : `${does} (once it is enabled)`}: ${launchWords(launch, true)}`;
      return { key: key(server), where: name, says, applies: true };
    }),
    ...faults.map(({ server, says }) => ({ key: key(server), where: name, says: `refused: ${says}`, applies: false })),
  ];
}

/** The tables, or why there are none. */
async function parsed(source: string, name: string): Promise<TomlTable | string> {
  try {
    return await parseToml(source, name);
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function placeOf(source: string, name: string, key: readonly string[]): string {
  const line = lineOf(source, key) ?? lineOf(source, key.slice(0, 2)) ?? lineOf(source, key.slice(0, 1));
  return line === null ? name : `${name}:${line}`;
}

/** Every key that is set: `table.key`, and one level deeper below `[models]` and `[themes]`. */
function keysOf(table: TomlTable): readonly (readonly string[])[] {
  return Object.entries(table).flatMap(([name, content]) => {
    if (!isTable(content)) return [[name]];
    return Object.entries(content).flatMap(([key, value]) =>
      (name === 'models' || name === 'themes') && isTable(value) && Object.keys(value).length > 0
        ? Object.keys(value).map((last) => [name, key, last])
        : [[name, key]],
    );
  });
}

function valueAt(table: TomlTable, key: readonly string[]): unknown {
  return key.reduce<unknown>((at, name) => (isTable(at) && Object.hasOwn(at, name) ? at[name] : undefined), table);
}

type Verdict =
  | { readonly applies: true; readonly value: unknown; readonly says: string }
  | { readonly applies: false; readonly says: string };

function judged(key: string, raw: unknown, own: ReadonlyMap<SettingKey, unknown>): Verdict {
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
  if (row?.project === undefined) return refused(refusalReason(key));
  const theirs = row.kind.fromToml(raw);
  if (theirs === undefined) return refused(`it must be ${row.kind.expected}`);
  const mine = own.get(key as SettingKey) ?? row.initial;
  const value = row.project.combine(mine, theirs);
  if (value === null) return refused(`a project may only ${row.project.says}; it is ${shown(mine)}`);
  return { applies: true, value, says: change(mine, value) };
}

/** Of a list all that is added is shown: it is what the person decides on. */
function change(from: unknown, to: unknown): string {
  if (JSON.stringify(from) === JSON.stringify(to)) return `${shown(from)}, as it is`;
  if (!Array.isArray(from) || !Array.isArray(to)) return `${shown(from)} → ${shown(to)}`;
  return `adds ${to
    .filter((entry) => !from.includes(entry))
    .map((entry) => JSON.stringify(entry))
    .join(', ')}`;
}

function refused(why: string): Verdict {
  return { applies: false, says: `refused: ${why}` };
}

/** A value on one line. */
function shown(value: unknown): string {
  const written = value === null ? 'not set' : JSON.stringify(value);
  return written.length <= SHOWN ? written : `${written.slice(0, SHOWN)}…`;
}

/** What is told at a start about the folder, each on one line: what is ignored, and of a trusted one what is refused. */
export function projectWarnings(project: FoundProject, read: Pick<ReadProject, 'lines'>): readonly string[] {
  return warningsOf(project, read).map((text) => visibleLine(text));
}

function warningsOf({ folder, found, trust }: FoundProject, { lines }: Pick<ReadProject, 'lines'>): readonly string[] {
  if (trust === 'muted') return [];
  // A person who has settings in the folder waits for them.
  const inOrder = [...found].sort((one, other) => Number(other.holds === 'settings') - Number(one.holds === 'settings'));
  const refused = inOrder.flatMap(({ path, refusal, isOther }) =>
    refusal === null || isOther === true ? [] : [`${path} is ignored: ${refusal}`],
  );
  const unread = [
    ...refused.slice(0, MOST_TOLD),
    ...(refused.length > MOST_TOLD ? [`${folder}: ${refused.length - MOST_TOLD} more files of it are not read; /trust lists them`] : []),
  ];
  const there = found.filter(({ source }) => source !== null);
  const read = there.filter(({ holds }) => holds === 'settings').map(({ path }) => path);
  const others = there.filter(({ holds }) => holds !== 'settings').map(({ name }) => name);
  if (trust === 'trusted') {
    const refusals = lines.filter(({ applies }) => !applies).map(({ where, key, says }) => `${folder}/${where}: ${key} is ${says}`);
    const more = refusals.length - MOST_TOLD;
    return [...unread, ...refusals.slice(0, MOST_TOLD), ...(more > 0 ? [`${more} more keys of it are refused; /trust lists them`] : [])];
  }
  const why =
    trust === 'changed'
      ? 'it is not what you trusted; /trust shows the difference'
      : `a project's settings are not trusted by themselves; /trust shows what they would change`;
  return [...unread, ...read.map((path) => `${path} is ignored: ${why}`), ...othersIgnored(folder, others, trust)];
}

/** One sentence, however many there are. */
function othersIgnored(folder: string, names: readonly string[], trust: FolderTrust): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const [are, they] = names.length === 1 ? ['is', 'it'] : ['are', 'they'];
  const why = trust === 'changed' ? 'this is not what you trusted' : `nobody has said that ${they} ${are} trusted`;
  return [`${folder}: ${shown}${more} ${are} ignored: ${why}; /trust shows what ${they} would do`];
}
