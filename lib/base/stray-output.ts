/** What Node and libraries print on their own account: nobody may write into a screen that is ours. */

import { format } from 'node:util';

/** The ways in which a library prints (Console of Node). */
const printers = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** Hands what is printed to `run` instead of the terminal; the function answered puts everything back as it was. */
export function listenForStray(process: NodeJS.Process, run: (text: string) => void): () => void {
  const warned = (warning: Error) => run(`${warning.name}: ${warning.message}`);
  const warners = process.rawListeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', warned);
  const before = printers.map((name) => [name, console[name]] as const);
  for (const name of printers) console[name] = (...values: unknown[]) => run(format(...values));
  return () => {
    process.off('warning', warned);
    for (const listener of warners) process.on('warning', listener as (warning: Error) => void);
    for (const [name, printer] of before) console[name] = printer;
  };
}
