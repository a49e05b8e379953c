/** What the keys of the list of sessions do besides those of any list. */

import { type Step, send, step } from '../effects.js';
import { lengthened, withCutTold } from '../one-line.js';
import type { SessionAction } from '../session-keymap.js';
import { sessionChange, withLook } from '../session-look.js';
import { sessionOrders } from '../session-state.js';
import type { State } from '../state.js';
import { withToast } from '../toasts.js';
import { chosenOf } from './picker-keys.js';

type SessionHandler = (state: State, nowMs: number) => Step;

/** What is typed or pasted goes into the new name; to the question whether to delete, other keys are no answer. */
export function changeTyped(state: State, text: string, nowMs: number): Step {
  const change = sessionChange(state);
  if (change?.kind !== 'rename') return step(state);
  const { query, cut } = lengthened(change.text, text);
  return step(withLook(withCutTold(state, cut, nowMs), { change: { ...change, text: query } }));
}

const begin =
  (kind: 'rename' | 'delete'): SessionHandler =>
  (state, nowMs) => {
    const session = chosenOf(state)?.id;
    const found = state.kept.listed?.find((of) => of.session === session);
    if (session === undefined || found === undefined) return step(state);
    const refusal = found.open ? 'another program has it open' : kind === 'rename' ? found.foreign : null;
    if (refusal !== null) return step(withToast(state, `Not now: ${refusal}.`, 'warning', nowMs));
    return step(withLook(state, { change: kind === 'delete' ? { kind, session } : { kind, session, text: found.name ?? '' } }));
  };

const reword =
  (to: (text: string) => string): SessionHandler =>
  (state) => {
    const change = sessionChange(state);
    return step(change?.kind === 'rename' ? withLook(state, { change: { ...change, text: to(change.text) } }) : state);
  };

const unchanged: SessionHandler = (state) => step(withLook(state, { change: null }));

/** The same entry is no longer in the same place: the first one is chosen. */
function fromStart(state: State): State {
  return state.picker === null ? state : { ...state, picker: { ...state.picker, selected: 0 } };
}

/** What each of them does. */
export const sessionHandlers: Readonly<Record<SessionAction, SessionHandler>> = {
  'session.rename': begin('rename'),
  'session.delete': begin('delete'),
  'session.order': (state) => {
    const order = sessionOrders[(sessionOrders.indexOf(state.kept.look.order) + 1) % sessionOrders.length] ?? 'newest first';
    return step(fromStart(withLook(state, { order })));
  },
  'session.named': (state) => step(fromStart(withLook(state, { namedOnly: !state.kept.look.namedOnly }))),
  'renaming.set': (state) => {
    const change = sessionChange(state);
    if (change?.kind !== 'rename') return step(state);
    const closed = withLook(state, { change: null });
    if (change.text.trim() === '') return step(closed);
    return step(closed, send({ type: 'session.rename', session: change.session, name: change.text }));
  },
  'renaming.close': unchanged,
  'renaming.erase': reword((text) => Array.from(text).slice(0, -1).join('')),
  'renaming.clear': reword(() => ''),
  'deleting.yes': (state) => {
    const change = sessionChange(state);
    if (change?.kind !== 'delete') return step(state);
    return step(withLook(state, { change: null }), send({ type: 'session.delete', session: change.session }));
  },
  'deleting.no': unchanged,
};
