/** Putting text where it can be pasted: the tmux that we are in, the terminal, or else a file. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { delay } from '../base/clock.js';
import { formatBytes } from '../base/duration.js';
import { messageOf } from '../base/errors.js';
import { mkdir, writeFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import { startProcess } from '../base/process.js';
import { stateFolder } from './state-folder.js';

/** tmux is on this machine: slower than that it hangs. */
const TMUX_PATIENCE_MS = 2000;

/** What became of it, in a few words for the person. */
export interface Copied {
  readonly isCopied: boolean;
  readonly words: string;
}

/**
 * Inside tmux the text goes to tmux, which has no limit and hands it on to the terminal (`load-buffer -w`, tmux 3.2; programs in a pane
 * must not set the clipboard themselves unless `set-clipboard` is `on`). Elsewhere OSC 52; what is too long for that becomes a file.
 */
export async function copyText(host: Host, text: string, toTerminal: (text: string) => boolean): Promise<Copied> {
  const size = formatBytes(Buffer.byteLength(text));
  if ((host.env['TMUX'] ?? '') !== '' && (await toTmux(host, text))) return { isCopied: true, words: `copied ${size} (also to tmux)` };
  if (toTerminal(text)) return { isCopied: true, words: `copied ${size}` };
  const path = join(stateFolder(host), `copied-${randomBytes(3).toString('hex')}.txt`);
  try {
    await mkdir(stateFolder(host), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return { isCopied: true, words: `too long for the clipboard of a terminal: written to ${path}` };
  } catch (thrown) {
    return { isCopied: false, words: `not copied: ${messageOf(thrown)}` };
  }
}

async function toTmux(host: Host, text: string): Promise<boolean> {
  const child = startProcess('tmux', ['load-buffer', '-w', '-'], { env: host.env });
  child.stdin.end(text);
  const enough = new AbortController();
  const late = delay(host.clock, TMUX_PATIENCE_MS, enough.signal).then(
    () => {
      child.kill('SIGKILL');
      return { code: null };
    },
    () => ({ code: null }),
  );
  const { code } = await Promise.race([child.ended, late]);
  enough.abort();
  return code === 0;
}
