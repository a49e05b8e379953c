/** What events about sessions change on the screen. */

import type { RuntimeEvent } from '../protocol/events.js';
import { conversationEvent } from './conversation-events.js';
import { pastTasks, withPastTasks } from './past-tasks.js';
import { withLook } from './session-look.js';
import type { SessionState } from './session-state.js';
import { withSettings } from './settings.js';
import type { State } from './state.js';
import { withToast } from './toasts.js';
import { appendBlock, type Block } from './transcript.js';

type SessionEvent = Exclude<Extract<RuntimeEvent, { type: `session.${string}` }>, { type: 'session.branched' | 'session.labelled' }>;

/** The state after an event about sessions; its conversation has been looked after unless a session was resumed. */
export function sessionEvent(state: State, event: SessionEvent, tsMs: number): State {
  const { kept } = state;
  switch (event.type) {
    case 'session.started':
      return {
        ...withSettings(state, { session: {} }),
        session: event.session,
        context: null,
        kept: { ...kept, name: null, storage: null },
      };
    case 'session.resumed':
      return resumed(
        {
          ...(event.session === state.session ? state : withSettings(state, { session: {} })),
          session: event.session,
          kept: { ...kept, name: event.name, storage: null },
        },
        event,
        tsMs,
      );
    case 'session.renamed':
      return renamed(state, event, tsMs);
    case 'session.deleted': {
      const listed = kept.listed?.filter(({ session }) => session !== event.session) ?? null;
      return withToast({ ...state, kept: { ...kept, listed } }, `The session was moved to ${event.movedTo}`, 'info', tsMs);
    }
    case 'session.previewed':
      return withLook(state, { preview: event.preview });
    case 'session.exported':
      return withBlock(state, { kind: 'notice', level: 'info', text: `The session was written to ${event.path}` });
    case 'session.listed':
      return { ...state, kept: { ...kept, listed: event.sessions } };
    case 'session.storage':
      return stored({ ...state, kept: { ...kept, storage: { trouble: event.trouble } } }, kept, event.trouble);
  }
}

function renamed(state: State, { name, session }: Extract<RuntimeEvent, { type: 'session.renamed' }>, tsMs: number): State {
  const { kept } = state;
  if (session === undefined) return { ...state, kept: { ...kept, name } };
  const listed = kept.listed?.map((of) => (of.session === session ? { ...of, name } : of)) ?? null;
  return withToast({ ...state, kept: { ...kept, listed } }, `It is called ${name} now.`, 'info', tsMs);
}

/** What was in it, between two marks: above is what was before, below is now. */
function resumed(state: State, event: Extract<RuntimeEvent, { type: 'session.resumed' }>, tsMs: number): State {
  const { session, name, copyOf, past } = event;
  const title = `session ${session}${name === null ? '' : ` · ${name}`}`;
  if (past.length === 0)
    return withBlock(state, { kind: 'mark', text: copyOf === null ? title : `${title}, a copy of ${copyOf}, from here on` });
  // What those answers took is not kept, and is not guessed from what runs now.
  const tasks = pastTasks(past, tsMs);
  let next = withBlock({ ...state, tasks, showTokens: false }, { kind: 'mark', text: title });
  for (const { event: earlier, tsMs: then } of past) {
    if (earlier.type === 'warning') next = withBlock(next, { kind: 'notice', level: 'warning', text: earlier.message });
    else next = conversationEvent(next, earlier, Math.min(then, tsMs));
  }
  next = { ...next, tasks: withPastTasks(state.tasks, tasks), showTokens: state.showTokens };
  if (copyOf !== null) {
    const text = `Another program has session ${copyOf} open. This is a copy of it: what is said here is not said there.`;
    next = withBlock(next, { kind: 'notice', level: 'warning', text });
  }
  return withBlock(next, { kind: 'mark', text: 'it goes on here' });
}

/** A person must know when what they say is not kept, and when it is again. */
function stored(state: State, before: SessionState, trouble: string | null): State {
  if (trouble !== null) {
    const text = `This session is not saved: ${trouble}. It is kept in memory, and written as soon as that is over.`;
    return withBlock(state, { kind: 'notice', level: 'error', text });
  }
  return before.storage?.trouble == null ? state : withBlock(state, { kind: 'notice', level: 'info', text: 'The session is saved again.' });
}

function withBlock(state: State, block: Block): State {
  return { ...state, transcript: appendBlock(state.transcript, block) };
}
