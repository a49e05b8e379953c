/** The log of a run. */

import { join } from 'node:path';
import { mkdirSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import { createFileLog, type Log, type LogLevel, silentLog } from '../base/log.js';
import type { Options } from '../cli-options.js';
import { stateFolder } from './state-folder.js';

/** The log in the state folder; nothing by default, more with each -v. */
export function logOf(host: Host, options: Options): Log {
  if (options.verbose === 0) return silentLog;
  const level: LogLevel = options.verbose === 1 ? 'info' : 'debug';
  const folder = stateFolder(host);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return silentLog;
  }
  return createFileLog(join(folder, 'buddy.log'), level, () => host.clock.now());
}

/** Writes what libraries print into the log; it is opened when there is something. */
export function strayLog(host: Host, options: Options): (text: string) => void {
  let log: Log | null = null;
  return (text) => {
    log ??= logOf(host, options);
    log.write('warn', text);
  };
}
