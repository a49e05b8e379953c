/** The viewer of traces as a value: what is chosen, filtered and scrolled, and what its keys do. Pure. */

import type { InputEvent } from '../protocol/input.js';

/** Where a person is in a trace. */
export interface Viewer {
  /** Lines that have been found so far. */
  readonly count: number;
  /** Those that fit the filter, in order; null: there is no filter, all do. */
  readonly matches: readonly number[] | null;
  /** Which of them is chosen, and which stands in the first row. */
  readonly chosen: number;
  readonly top: number;
  /** First row of what is told of the chosen one. */
  readonly detailTop: number;
  /** The newest line is chosen, and stays so. */
  readonly following: boolean;
  /** The file is watched. */
  readonly stream: boolean;
  readonly filter: string;
  /** What is being typed into the filter; null: keys are keys. */
  readonly typing: string | null;
  readonly help: boolean;
  readonly over: boolean;
}

/** How much of it there is room for: rows of the list, rows of the detail, and how many rows the detail has. */
export interface ViewerRoom {
  readonly list: number;
  readonly detail: number;
  readonly detailRows: number;
}

/** Suspending is done outside, everything else here. */
export const SUSPEND_KEY = 'C-z';

/** Keys of the viewer: help and the manual are printed from these rows. */
export const viewerRows = [
  { id: 'down', keys: ['j', 'down'], says: 'down a line', hint: 'down' },
  { id: 'up', keys: ['k', 'up'], says: 'up a line', hint: 'up' },
  { id: 'pageDown', keys: ['f', 'pagedown', 'space'], says: 'down a page' },
  { id: 'pageUp', keys: ['b', 'pageup'], says: 'up a page' },
  { id: 'start', keys: ['g', 'home'], says: 'to the first line' },
  { id: 'end', keys: ['G', 'end'], says: 'to the last line' },
  { id: 'detailDown', keys: ['d', 'right'], says: 'what is told of the line: on', hint: 'detail' },
  { id: 'detailUp', keys: ['u', 'left'], says: 'what is told of the line: back' },
  { id: 'filter', keys: ['/'], says: 'show only lines with these words in them; Enter with none shows all again', hint: 'filter' },
  { id: 'follow', keys: ['escape'], says: 'to the newest line, and follow the file (with --stream)', hint: 'follow' },
  { id: 'help', keys: ['?', 'f1'], says: 'these keys', hint: 'keys' },
  { id: 'suspend', keys: [SUSPEND_KEY], says: 'suspend; fg brings it back' },
  { id: 'leave', keys: ['q', 'C-c'], says: 'leave', hint: 'leave' },
] as const;

/** A viewer of a file of which nothing was read yet. */
export function startViewer(stream: boolean): Viewer {
  const place = { chosen: 0, top: 0, detailTop: 0, following: stream };
  return { count: 0, matches: null, ...place, stream, filter: '', typing: null, help: false, over: false };
}

/** How many lines can be chosen from. */
export function shownCount({ matches, count }: Viewer): number {
  return matches === null ? count : matches.length;
}

/** The number of the line (from 0) in that place of the list; null: there is none. */
export function lineAt({ matches, count }: Viewer, place: number): number | null {
  if (place < 0) return null;
  return matches === null ? (place < count ? place : null) : (matches[place] ?? null);
}

/** More lines were found, or looked through for the filter. */
export function withLines(viewer: Viewer, count: number, matches: readonly number[] | null, room: ViewerRoom): Viewer {
  const next = { ...viewer, count, matches };
  return seen(next.following ? chosenAt(next, shownCount(next) - 1) : next, room);
}

/** The file begins anew. */
export function withAnotherFile(viewer: Viewer): Viewer {
  return { ...startViewer(viewer.stream), filter: viewer.filter, matches: viewer.filter === '' ? null : [], typing: viewer.typing };
}

/** The viewer after an input. */
export function heard(viewer: Viewer, input: InputEvent, room: ViewerRoom): Viewer {
  if (input.type === 'paste' && viewer.typing !== null) return { ...viewer, typing: viewer.typing + (input.text.split('\n')[0] ?? '') };
  if (input.type !== 'key') return viewer;
  if (viewer.typing !== null) return typed(viewer, viewer.typing, input.key, input.text);
  const row = viewerRows.find(({ keys }) => (keys as readonly string[]).includes(input.key));
  if (viewer.help) return row?.id === 'leave' && input.key === 'C-c' ? { ...viewer, over: true } : { ...viewer, help: false };
  return row === undefined ? viewer : seen(done(viewer, row.id, room), room);
}

/** The viewer in a window of another size. */
export function resized(viewer: Viewer, room: ViewerRoom): Viewer {
  return seen(viewer, room);
}

function typed(viewer: Viewer, typing: string, key: string, text: string): Viewer {
  switch (key) {
    case 'C-c':
    case 'escape':
      return { ...viewer, typing: null };
    case 'enter': {
      if (typing === viewer.filter) return { ...viewer, typing: null };
      const place = { chosen: 0, top: 0, detailTop: 0 };
      return { ...viewer, ...place, typing: null, filter: typing, matches: typing === '' ? null : [] };
    }
    case 'backspace':
    case 'C-h':
      return { ...viewer, typing: Array.from(typing).slice(0, -1).join('') };
    case 'C-u':
      return { ...viewer, typing: '' };
    default:
      return { ...viewer, typing: typing + text };
  }
}

function done(viewer: Viewer, id: (typeof viewerRows)[number]['id'], room: ViewerRoom): Viewer {
  const last = shownCount(viewer) - 1;
  const half = Math.max(1, Math.floor(room.detail / 2));
  switch (id) {
    case 'down':
      return moved(viewer, viewer.chosen + 1);
    case 'up':
      return moved(viewer, viewer.chosen - 1);
    case 'pageDown':
      return moved(viewer, viewer.chosen + Math.max(1, room.list - 1));
    case 'pageUp':
      return moved(viewer, viewer.chosen - Math.max(1, room.list - 1));
    case 'start':
      return moved(viewer, 0);
    case 'end':
      return moved(viewer, last);
    case 'detailDown':
      return { ...viewer, detailTop: viewer.detailTop + half, following: false };
    case 'detailUp':
      return { ...viewer, detailTop: viewer.detailTop - half, following: false };
    case 'filter':
      return { ...viewer, typing: viewer.filter };
    case 'follow':
      return { ...chosenAt(viewer, last), following: viewer.stream };
    case 'help':
      return { ...viewer, help: true };
    case 'suspend':
      return viewer;
    case 'leave':
      return { ...viewer, over: true };
  }
}

/** Whoever chooses a line is not taken away from it. */
function moved(viewer: Viewer, chosen: number): Viewer {
  return { ...chosenAt(viewer, chosen), following: false };
}

function chosenAt(viewer: Viewer, wanted: number): Viewer {
  const chosen = Math.max(0, Math.min(shownCount(viewer) - 1, wanted));
  return chosen === viewer.chosen ? viewer : { ...viewer, chosen, detailTop: 0 };
}

/** With the chosen line in the window, and nothing scrolled past its end. */
function seen(viewer: Viewer, { list, detail, detailRows }: ViewerRoom): Viewer {
  const last = Math.max(0, shownCount(viewer) - 1);
  const chosen = Math.min(viewer.chosen, last);
  const most = Math.max(0, last + 1 - list);
  const top = Math.max(0, Math.min(most, Math.max(chosen - Math.max(1, list) + 1, Math.min(viewer.top, chosen))));
  const detailTop = Math.max(0, Math.min(viewer.detailTop, detailRows - detail));
  if (chosen === viewer.chosen && top === viewer.top && detailTop === viewer.detailTop) return viewer;
  return { ...viewer, chosen, top, detailTop };
}
