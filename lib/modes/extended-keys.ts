/** What stands between the keyboard and the program: tmux or screen, and what they need to pass every key on. */

import type { Host } from '../base/host.js';
import { runProcess } from '../base/process.js';
import { environmentOfPrograms } from './program-environment.js';

/** Lines for tmux.conf with which keys that have no bytes of old (Shift+Enter) arrive in tmux, and the focus of the window. */
export const tmuxLines = ['set -s extended-keys on', "set -as terminal-features ',*:extkeys'", 'set -s focus-events on'] as const;

/** Nothing here takes longer unless tmux hangs (milliseconds). */
const LIMIT_MS = 5000;

/** Sentences about the multiplexer around the program, and the lines for its file, which begin with blanks. None outside of one. */
export async function multiplexerNotes(host: Pick<Host, 'env' | 'clock'>, signal: AbortSignal): Promise<readonly string[]> {
  if ((host.env['STY'] ?? '') !== '')
    return ['Inside of GNU screen: it passes no extended keys on. Alt+Enter and Ctrl+J begin a new line.'];
  if ((host.env['TMUX'] ?? '') === '') {
    const isInside = /^(tmux|screen)/.test(host.env['TERM'] ?? '');
    return isInside ? ['Inside of tmux or screen, somewhere else: for tmux its file needs', ...shown(tmuxLines)] : [];
  }
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = host.clock.after(LIMIT_MS, stop);
  signal.addEventListener('abort', stop, { once: true });
  const ask = ['display-message', '-p', '#{extended-keys} #{focus-events} #{client_termfeatures}'];
  const printed = await runProcess('tmux', ask, { env: environmentOfPrograms(host.env, { redact: (text) => text }) }, limit.signal).catch(
    () => null,
  );
  timer.dispose();
  signal.removeEventListener('abort', stop);
  const [extended = '', focus = '', features = ''] = (printed?.stdout ?? '').trim().split(' ');
  const passes = extended === 'on' || extended === 'always';
  const missing = [
    ...(passes ? [] : [tmuxLines[0]]),
    ...(features.split(',').includes('extkeys') ? [] : [tmuxLines[1]]),
    ...(focus === '1' || focus === 'on' ? [] : [tmuxLines[2]]),
  ];
  if (missing.length === 0) return ['Inside of tmux, which passes extended keys and the focus on.'];
  return ['Inside of tmux, which does not pass all on. For ~/.tmux.conf, which "tmux source ~/.tmux.conf" reads:', ...shown(missing)];
}

function shown(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
