/** A login on this terminal while the dashboard has lent it. */

import { join } from 'node:path';
import { exitCodes, messageOf } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { runOnTerminal } from '../base/process.js';
import type { LoadedConfig } from '../config/load.js';

/** What is told in the conversation afterwards. */
export interface LoginWords {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Runs `buddy-tui login` until it ends. Never rejects. */
export async function loginHere(host: Host, { file }: LoadedConfig, provider: string): Promise<LoginWords> {
  const street = join(host.packageDir, 'bin', 'buddy-tui.js');
  const args = [street, 'login', ...(file === null ? [] : ['--config', file]), ...(provider === '' ? [] : [provider])];
  const name = `buddy-tui login${provider === '' ? '' : ` ${provider}`}`;
  if (provider.startsWith('-'))
    return { level: 'warning', text: `"${provider}" is no provider; options are for "buddy-tui login" outside.` };
  try {
    const code = await runOnTerminal(host.execPath, args, { env: host.env });
    if (code === exitCodes.ok) return { level: 'info', text: 'Logged in; the next request uses it. /model shows the models.' };
    if (code === null || code === exitCodes.interrupted) return { level: 'info', text: 'The login was given up.' };
    // What it said would be gone as soon as the screen comes back.
    await runOnTerminal('/bin/sh', ['-c', 'printf "Press Enter to go back. "; read -r _'], {
      env: { PATH: host.env['PATH'], TERM: host.env['TERM'] },
    });
    return { level: 'warning', text: 'The login failed.' };
  } catch (thrown) {
    return { level: 'error', text: `"${name}" could not be started: ${messageOf(thrown)}` };
  }
}
