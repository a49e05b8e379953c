/** The tools that make and end panes and sessions: only what this program made itself, within the limits of [tmux]. */

import type { ModelClaim } from '../protocol/approvals.js';
import type { MadePane, PaneSelector, TmuxClient } from '../targets/target.js';
import { asObject, claim, claimNames, claimSchema, fault, optionalText, text } from './arguments.js';
import type { Tool, ToolResult } from './tool.js';

interface LifecycleArguments {
  readonly selector: PaneSelector;
  readonly claim: ModelClaim;
}

/** How one of them differs from the others. */
interface Lifecycle {
  readonly name: string;
  readonly alias: string;
  readonly description: string;
  /** The argument that must be given. */
  readonly needs: 'session' | 'pane';
  /** As in `make a pane build`. */
  readonly verb: string;
  act(tmux: TmuxClient, selector: PaneSelector, signal: AbortSignal): Promise<MadePane | null>;
}

const sessionProperty = { type: 'string', description: 'Name of the session, made of letters, digits, - and _.' };
const paneProperty = { type: 'string', description: 'Name of the pane, made of letters, digits, - and _.' };
const homeProperty = { type: 'string', description: 'Managed session that the pane is in; the default one when left out.' };

function lifecycleTool({ name, alias, description, needs, verb, act }: Lifecycle): Tool<LifecycleArguments> {
  const own = needs === 'session' ? { session: sessionProperty } : { pane: paneProperty, session: homeProperty };
  return {
    name,
    aliases: [alias],
    description,
    parameters: { type: 'object', properties: { ...own, ...claimSchema }, required: [needs, ...claimNames] },
    needsTmux: true,
    usesTerminal: true,
    parallel: false,
    parse(args) {
      const given = asObject(args);
      const session = needs === 'session' ? text(given, 'session') : (optionalText(given, 'session') ?? undefined);
      return { selector: { session, pane: needs === 'pane' ? text(given, 'pane') : undefined }, claim: claim(given) };
    },
    preview: ({ selector }) => words(selector),
    review: ({ selector, claim: claimed }) => ({
      kind: 'ask',
      title: `${verb} ${needs}`,
      body: words(selector),
      like: `${name} ${JSON.stringify([selector.session ?? null, selector.pane ?? null])}`,
      claim: claimed,
    }),
    async run({ selector }, context) {
      const { tmux } = context.target;
      if (tmux === null) throw fault('this target has no tmux');
      return resultOf(await act(tmux, selector, context.signal), words(selector));
    },
  };
}

export const createSession = lifecycleTool({
  name: 'tmux-create-session',
  alias: 'tmux_create_session',
  description: 'Makes a managed tmux session with a shared pane at its prompt, or finds the one of that name.',
  needs: 'session',
  verb: 'make a tmux',
  act: (tmux, { session = '' }, signal) => tmux.createSession(session, signal),
});

export const killSession = lifecycleTool({
  name: 'tmux-kill-session',
  alias: 'tmux_kill_session',
  description: 'Ends a managed tmux session and all that runs in it. The default session cannot be ended.',
  needs: 'session',
  verb: 'end the tmux',
  act: (tmux, { session = '' }, signal) => tmux.killSession(session, signal).then(() => null),
});

export const createPane = lifecycleTool({
  name: 'tmux-create-pane',
  alias: 'tmux_create_pane',
  description:
    'Makes a managed pane with a shell of its own at its prompt, or finds the one of that name. For work beside the shared pane.',
  needs: 'pane',
  verb: 'make a tmux',
  act: (tmux, selector, signal) => tmux.createPane(selector, signal),
});

export const killPane = lifecycleTool({
  name: 'tmux-kill-pane',
  alias: 'tmux_kill_pane',
  description: 'Ends a managed pane and what runs in it. The shared pane cannot be ended.',
  needs: 'pane',
  verb: 'end the tmux',
  act: (tmux, selector, signal) => tmux.killPane(selector, signal).then(() => null),
});

function words({ session, pane }: PaneSelector): string {
  if (pane === undefined) return session ?? '';
  return session === undefined ? pane : `${pane} in ${session}`;
}

function resultOf(made: MadePane | null, what: string): ToolResult {
  const said = made === null ? 'ended' : made.created ? 'made' : 'was there';
  return {
    result: made ?? { ended: what },
    isError: false,
    text: made === null ? `${what} has been ended` : `${made.title} is ${made.pane} in ${made.session}`,
    summary: said,
    exitCode: null,
  };
}
