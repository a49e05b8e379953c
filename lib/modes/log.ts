/** The log of a run. */

import { join } from 'node:path';
import { mkdirSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import { createFileLog, type Log, type LogLevel, silentLog } from '../base/log.js';
import type { Options } from '../cli-options.js';
import type { Redactor } from '../policy/redaction.js';
import { stateFolder } from './state-folder.js';

/** The log in the state folder; nothing by default, more with each -v, never a secret. */
export function logOf(host: Host, options: Options, redact: Redactor): Log {
  if (options.verbose === 0) return silentLog;
  const level: LogLevel = options.verbose === 1 ? 'info' : 'debug';
  const folder = stateFolder(host);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return silentLog;
  }
  const log = createFileLog(join(folder, 'buddy.log'), level, () => host.clock.now());
  return { write: (of, message) => log.write(of, redact(message)) };
}

/** Writes what libraries print into the log; it is opened when there is something. */
export function strayLog(host: Host, options: Options, redact: Redactor): (text: string) => void {
  let log: Log | null = null;
  return (text) => {
    log ??= logOf(host, options, redact);
    log.write('warn', text);
  };
}
