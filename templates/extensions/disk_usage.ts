/** A tool: how much the entries of a folder take. It only looks, so nobody is asked. */

import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defineExtension } from 'buddy-tui/extension';

/** Bytes of a file, or of all that is below a folder. */
async function sizeOf(path: string, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  let bytes = 0;
  for (const name of names) bytes += await sizeOf(join(path, name), signal);
  return bytes;
}

export default defineExtension({
  name: 'disk_usage',
  tools: [
    {
      name: 'disk_usage',
      description: 'Tells how many bytes each entry of a folder takes, the largest first.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'The folder; relative to the working folder.' },
          most: { type: 'integer', minimum: 1, maximum: 100, description: 'So many entries; 10 when left out.' },
        },
        required: ['path'],
        additionalProperties: false,
      },
      review: 'allow',
      async run({ path, most }, { cwd, signal, report }) {
        const folder = resolve(cwd, String(path));
        const entries = [];
        for (const name of await readdir(folder)) {
          report(`${name}\n`);
          entries.push({ name, bytes: await sizeOf(join(folder, name), signal) });
        }
        entries.sort((one, other) => other.bytes - one.bytes);
        const shown = entries.slice(0, Number(most ?? 10));
        return {
          result: { folder, entries: shown },
          text: shown.map(({ name, bytes }) => `${String(bytes).padStart(12)}  ${name}`).join('\n'),
          summary: `${entries.length} entries`,
        };
      },
    },
  ],
});
