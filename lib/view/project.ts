/** The working folder as the person sees it: which files are in force, whether the folder is trusted, and the question about it. */

import { visibleLine } from '../base/visible.js';
import type { FolderState, ProjectLine, ProjectListing, TrustChoice } from '../protocol/project.js';

/** So many of the files are named in a sentence. */
const MOST_NAMED = 4;

/** What the screen knows of it. */
export interface ProjectView {
  /** Null: nobody has looked. */
  readonly folder: FolderState | null;
  /** Configuration files that are in force, as paths. */
  readonly inForce: readonly string[];
  /** What the open question shows; null: none was asked. */
  readonly listing: ProjectListing | null;
}

/** Before anything was looked at. */
export const noProject: ProjectView = { folder: null, inForce: [], listing: null };

/** `leave`: all stays as it is. */
export type ProjectAnswer = TrustChoice | 'leave';

/** True while something in the folder waits for a word. */
export function awaitsTrust({ folder }: ProjectView): boolean {
  return folder !== null && folder.files.length > 0 && (folder.trust === 'untrusted' || folder.trust === 'changed');
}

/** How the folder stands, in one sentence and on one line, whatever its files are called. */
export function trustWords(state: FolderState): string {
  return visibleLine(sentenceOf(state));
}

function sentenceOf({ folder, trust, files }: FolderState): string {
  const ignored = files.length === 0 ? '' : ` ${named(files)} ${files.length === 1 ? 'is' : 'are'} ignored.`;
  switch (trust) {
    case 'nothing':
      return `${folder} has no files for buddy-tui, and is not trusted.`;
    case 'untrusted':
      return `${folder} is not trusted.${ignored}`;
    case 'changed':
      return `${folder} is not what you trusted.${ignored}`;
    case 'trusted':
      return `${folder} is trusted as it is now.`;
    case 'muted':
      return `${folder} is not trusted, and you are not asked about it.${ignored}`;
  }
}

/** All of a few, and how many more there are. */
function named(files: readonly string[]): string {
  if (files.length > MOST_NAMED + 1) return `${files.slice(0, MOST_NAMED).join(', ')} and ${files.length - MOST_NAMED} more files`;
  return [files.slice(0, -1).join(', '), files.at(-1)].filter((part) => part !== '').join(' and ');
}

/** All that there is to know before a person answers, line by line: no name in it begins a line of its own. */
export function projectWords(listing: ProjectListing): readonly string[] {
  const { lines, notes, changes } = listing;
  const applying = lines.filter(({ applies }) => applies);
  const refused = lines.filter(({ applies }) => !applies);
  const width = Math.min(40, Math.max(0, ...lines.map(({ key }) => key.length)));
  const row = ({ key, says, where }: ProjectLine) =>
    `  ${key.padEnd(width)}  ${says.replace(/^refused: /, '')}${where === key ? '' : `  (${where})`}`;
  const part = (head: string, rows: readonly string[]) => (rows.length === 0 ? [] : [head, ...rows]);
  return [
    trustWords(listing),
    ...part(
      'Changed since you trusted it:',
      changes.map((text) => `  ${text}`),
    ),
    ...part(listing.trust === 'trusted' ? 'In force:' : 'It would change:', applying.map(row)),
    ...part('Refused, whatever you say:', refused.map(row)),
    ...notes.map((text) => `Note: ${text}.`),
  ].map((line) => visibleLine(line));
}

/** What can be answered; that all stays as it is comes first. */
export function projectAnswers({ trust }: FolderState): readonly (readonly [ProjectAnswer, string])[] {
  if (trust === 'trusted') {
    return [
      ['leave', 'leave it so'],
      ['revoke', 'trust it no longer'],
    ];
  }
  return [
    ['leave', 'not now'],
    ['trust', 'trust these files as they are now'],
    ...(trust === 'muted' ? [['revoke', 'ask here again'] as const] : [['mute', 'never ask here'] as const]),
  ];
}
