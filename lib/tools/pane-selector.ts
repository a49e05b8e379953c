/** The arguments `session` and `pane`: which pane of ours a tool works in. */

import type { PaneInfo, PaneSelector, TmuxClient } from '../targets/target.js';
import { fault, optionalText } from './arguments.js';

/** The JSON Schema of both. */
export const selectorSchema = {
  session: { type: 'string', description: 'Managed session; the default one when left out.' },
  pane: { type: 'string', description: 'Managed pane, by its name or its id such as %1; the shared pane when left out.' },
} as const;

/** What was given, or null: the shared pane. The old `target` is understood as well. */
export function selector(args: Readonly<Record<string, unknown>>): PaneSelector | null {
  const session = optionalText(args, 'session') ?? undefined;
  const pane = optionalText(args, 'pane') ?? optionalText(args, 'target') ?? undefined;
  return session === undefined && pane === undefined ? null : { session, pane };
}

/** The pane that is meant. Throws `target.pane`, and `tool.arguments` where there is no tmux. */
export function selected(tmux: TmuxClient | null, wanted: PaneSelector | null): PaneInfo | null {
  if (wanted === null) return null;
  if (tmux === null) throw fault('this target has no tmux: leave "session" and "pane" out');
  const found = tmux.find(wanted);
  return found.isDefault ? null : found;
}

/** As people read it: `the shared pane`, `the pane build (%3)`. */
export function paneWords(pane: PaneInfo | null): string {
  return pane === null ? 'the shared pane' : `the pane ${pane.title} (${pane.pane}) of ${pane.session}`;
}

/** What was asked for, before the pane is looked up. */
export function selectorWords(wanted: PaneSelector | null): string {
  if (wanted === null) return 'shared pane';
  return [wanted.session, wanted.pane].filter((part) => part !== undefined).join(' ');
}
