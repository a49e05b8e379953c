/** What a target is made from. */

import type { Host } from '../base/host.js';
import type { Log } from '../base/log.js';
import type { Place } from './places/place.js';

export interface TargetOptions {
  /** In a managed tmux pane that people can join, or as bare processes. */
  readonly via: 'tmux' | 'direct';
  readonly host: Host;
  /** Where, already connected; this host when left out. */
  readonly place?: Place;
  /** Names the session: `buddy-<agentName>`. */
  readonly agentName: string;
  readonly cols: number;
  readonly rows: number;
  readonly log: Log;
  /** Program to run as tmux; default `tmux` from PATH. */
  readonly tmuxBinary?: string;
  /** Name of the private server; default `buddy`. */
  readonly socket?: string;
  /** The shell program; default the user's when it is a known one. */
  readonly shell?: string;
  /** Names of further environment variables that commands may see. */
  readonly passEnvironment?: readonly string[];
  /** tmux sessions that this program may own, the default one included; default 1. */
  readonly maxSessions?: number;
  /** Panes of each session, the shared one included; default 5. */
  readonly maxPanes?: number;
  /** False: nobody looks, `pane.screen` is never told. */
  readonly mirror?: boolean;
  /** Continue in a session that an earlier run kept, when there is one. */
  readonly adopt?: boolean;
}

/** `name` as it may stand in a tmux session name: `[a-z0-9_-]{1,48}`. */
export function sessionWord(name: string): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
  return word === '' ? 'agent' : word;
}
