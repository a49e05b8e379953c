/** The program's own log: a file in the state directory, never the terminal. */

import { AppendFile } from './files.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface Log {
  write(level: LogLevel, message: string): void;
}

/** Writes nothing. */
export const silentLog: Log = { write: () => undefined };

const order: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/** Appends lines up to `level` to `path`; one that cannot be written is dropped, the program goes on. */
export function createFileLog(path: string, level: LogLevel, now: () => number): Log {
  let file: AppendFile | null = null;
  return {
    write(of, message) {
      if (order.indexOf(of) > order.indexOf(level)) return;
      try {
        file ??= new AppendFile(path);
        file.append(`${new Date(now()).toISOString()} ${of} ${message.replaceAll('\n', '\\n')}\n`);
      } catch {
        // A log must not end the program.
      }
    },
  };
}
