/** Words to the terminal beside the screen: notifications, the window title, progress in the taskbar. Each in the form it knows. */

/** What the environment says of the terminal. */
export type TerminalEnv = Readonly<Record<string, string | undefined>>;

/** How a person is called. */
export type NotifyBy = 'auto' | 'bell' | 'off';

/** Letters that are safe in every terminal's title and notification (C0 and C1 end or begin sequences; the rest is look-alikes). */
const UNSAFE = /[^\p{L}\p{N} .,:;!?()/~_@#%+=*&'"·…-]/gu;
const LONGEST = 120;

function safe(text: string): string {
  const kept = text.replace(/\s+/g, ' ').replace(UNSAFE, '').trim();
  return Array.from(kept).slice(0, LONGEST).join('');
}

/**
 * The bytes that call a person: OSC 99 (kitty), OSC 777 (urxvt, foot, WezTerm, Ghostty), OSC 9 (iTerm2), else the bell. Inside tmux and
 * screen the bell: they mark the window with it, and what is wrapped for the terminal behind them may end as text.
 */
export function notification(text: string, by: NotifyBy, env: TerminalEnv): string {
  if (by === 'off') return '';
  const words = safe(text).replaceAll(';', ',');
  const term = env['TERM'] ?? '';
  if (by === 'bell' || words === '' || (env['TMUX'] ?? '') !== '' || /^(?:tmux|screen)/.test(term)) return '\x07';
  const program = env['TERM_PROGRAM'] ?? '';
  if (term === 'xterm-kitty') return `\x1b]99;i=buddy:d=1:p=title;${words}\x1b\\`;
  if (/^(?:foot|rxvt-unicode)/.test(term) || /^(?:WezTerm|ghostty)$/.test(program)) return `\x1b]777;notify;buddy-tui;${words}\x1b\\`;
  if (program === 'iTerm.app') return `\x1b]9;${words}\x1b\\`;
  return '\x07';
}

/** The window title (OSC 2). */
export function titleBytes(text: string): string {
  return `\x1b]2;${safe(text)}\x1b\\`;
}

/** Progress as ConEmu's OSC 9;4 for terminals that are known to show it; elsewhere it would be a notification. '' when unknown. */
export function progressBytes(state: 'none' | 'busy' | 'waiting', env: TerminalEnv): string {
  const knows = /^(?:ghostty|WezTerm)$/.test(env['TERM_PROGRAM'] ?? '') || (env['WT_SESSION'] ?? '') !== '' || env['ConEmuANSI'] === 'ON';
  if (!knows || (env['TMUX'] ?? '') !== '') return '';
  return `\x1b]9;4;${{ none: '0', busy: '3', waiting: '4;100' }[state]}\x1b\\`;
}
