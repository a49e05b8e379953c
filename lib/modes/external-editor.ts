/** Writing a draft in the user's own editor. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { mkdtemp, readFile, rm, writeFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import { runOnTerminal } from '../base/process.js';

/** The text as it was saved, or why there is none. */
export type Edited = { readonly text: string } | { readonly trouble: string };

/** What a shell answers when there is no such program. */
const NOT_FOUND = 127;

/**
 * Lets `text` be edited on this terminal: $VISUAL, $EDITOR (with arguments, as a shell reads them), then vi. What an editor makes of
 * line ends, and the one that it puts at the end, is taken back. Never rejects: the draft is still there.
 */
export async function editExternally(host: Host, text: string): Promise<Edited> {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(tmpdir(), 'buddy-draft-'));
    const path = join(folder, 'prompt.md');
    await writeFile(path, text, { mode: 0o600 });
    const editor = set(host.env['VISUAL']) ?? set(host.env['EDITOR']) ?? 'vi';
    const code = await runOnTerminal('sh', ['-c', `${editor} "$1"`, 'sh', path], { env: host.env });
    if (code === NOT_FOUND) return { trouble: `there is no editor "${editor}" (set VISUAL or EDITOR): the draft is as it was` };
    if (code !== 0) return { trouble: `the editor ended with ${code === null ? 'a signal' : `exit code ${code}`}: the draft is as it was` };
    return { text: asWritten(await readFile(path, 'utf8'), text) };
  } catch (thrown) {
    return { trouble: `the editor could not be started: ${messageOf(thrown)}` };
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function set(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value;
}

/** Editors end a file with a line end that nobody wrote; one that was there before is the draft's own. */
function asWritten(saved: string, before: string): string {
  const lines = saved.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  return before.endsWith('\n') ? lines : lines.replace(/\n$/, '');
}
