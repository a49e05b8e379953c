/** Writing a draft in the user's own editor. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, readFile, rm, writeFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import { runOnTerminal } from '../base/process.js';

/**
 * Lets `text` be edited on this terminal; the text afterwards, or null when the editor or the disk failed. $VISUAL, $EDITOR,
 * then vi. Never rejects: the draft is still there.
 */
export async function editExternally(host: Host, text: string): Promise<string | null> {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(tmpdir(), 'buddy-draft-'));
    const path = join(folder, 'prompt.md');
    await writeFile(path, text, { mode: 0o600 });
    const editor = host.env['VISUAL'] || host.env['EDITOR'] || 'vi';
    const code = await runOnTerminal('sh', ['-c', `${editor} "$1"`, 'sh', path], { env: host.env });
    return code === 0 ? (await readFile(path, 'utf8')).replace(/\n$/, '') : null;
  } catch {
    return null;
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
