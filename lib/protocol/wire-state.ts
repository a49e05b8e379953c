/** How everything stands, made from the events one after the other: what a client is told that asks, or comes late. Pure. */

import type { RuntimeEvent, RuntimeEventEnvelope } from './events.js';
import type { OpenPane, WireState } from './wire.js';

/** The state after one more event; null as long as `lifecycle.started` has not come. */
export function wireStateAfter(before: WireState | null, { seq, event }: RuntimeEventEnvelope): WireState | null {
  if (event.type === 'lifecycle.started') {
    const { session, model, profiles, target, policy } = event;
    const nothing = { commands: [], rules: [], tasks: [], queue: [], approvals: [], panes: [], context: null };
    return { seq, session, name: null, model, profiles, target, policy, ...nothing };
  }
  return before === null ? null : { ...before, ...changed(before, event), seq };
}

function changed(state: WireState, event: RuntimeEvent): Partial<WireState> {
  switch (event.type) {
    case 'session.started':
      return { session: event.session, name: null };
    case 'session.resumed':
      return { session: event.session, name: event.name };
    case 'session.renamed':
      return event.session === undefined || event.session === state.session ? { name: event.name } : {};
    case 'queue.changed':
      return { queue: event.waiting };
    case 'task.started': {
      const { task, kind, text, pane } = event;
      return { tasks: [...state.tasks, { task, kind, text, pane }] };
    }
    case 'task.ended':
      return { tasks: state.tasks.filter(({ task }) => task !== event.task) };
    case 'model.switched':
      return { model: event.model };
    case 'commands.offered':
      return { commands: event.commands };
    case 'approval.requested':
      return { approvals: [...state.approvals, event.request] };
    case 'approval.resolved':
      return { approvals: state.approvals.filter(({ id }) => id !== event.approval) };
    case 'approval.policy':
      return { policy: event.policy };
    case 'approval.rules':
      return { rules: event.rules };
    case 'pane.opened':
      return { panes: [...state.panes.filter(({ pane }) => pane !== event.pane), { pane: event.pane, title: event.title, state: null }] };
    case 'pane.state':
      return { panes: state.panes.map((open): OpenPane => (open.pane === event.pane ? { ...open, state: event.state } : open)) };
    case 'pane.closed':
      return { panes: state.panes.filter(({ pane }) => pane !== event.pane) };
    case 'target.changed':
      return { target: event.target };
    case 'metrics.context':
      return { context: { usedTokens: event.usedTokens, windowTokens: event.windowTokens } };
    default:
      return {};
  }
}
