/** Where the program keeps what outlives a run but is no configuration. */

import type { Host } from '../base/host.js';

/** Absolute (XDG Base Directory Specification: a relative XDG_STATE_HOME is ignored). It may not exist yet. */
export function stateFolder(host: Host): string {
  const state = host.env['XDG_STATE_HOME'];
  return `${state?.startsWith('/') ? state : `${host.homeDir}/.local/state`}/buddy`;
}
