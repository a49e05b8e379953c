/** tmux command lines about one pane: making it, typing into it, copying its screen. */

import type { CommandLine, ControlChannel } from './control-channel.js';
import type { ScreenCopy } from './mirror.js';
import { formatLiteral, tmuxWord } from './quoting.js';

/** A window that is to be made. */
export interface NewWindow {
  readonly title: string;
  readonly cwd: string;
  /** For a POSIX shell, whatever the user's own is. */
  readonly commandLine: string;
  /** True: people who are attached see it at once. */
  readonly current: boolean;
}

/** The line that makes a window with one pane; the reply names the pane. */
export function newWindowLine(session: string, { title, cwd, commandLine, current }: NewWindow): string {
  const at = `-t ${tmuxWord(`=${session}:`)} -n ${tmuxWord(title)} -c ${tmuxWord(formatLiteral(cwd))}`;
  return `new-window${current ? '' : ' -d'} -P -F ${tmuxWord('#{pane_id}')} ${at} /bin/sh -c ${tmuxWord(commandLine)}`;
}

/** The lines that set up the window of a pane, as they are set when a session is made. */
export function windowOptionLines(
  pane: string,
  of: { readonly title: string; readonly cols: number; readonly rows: number },
): readonly string[] {
  const options = ['window-size manual', 'remain-on-exit on', 'automatic-rename off', 'allow-rename off'];
  return [
    ...options.map((option) => `set-option -w -t ${pane} ${option}`),
    `select-pane -t ${pane} -T ${tmuxWord(of.title)}`,
    `resize-window -t ${pane} -x ${of.cols} -y ${of.rows}`,
  ];
}

/**
 * The lines that type `bytes` as they are: through a buffer, so no key name is looked up and copy mode swallows nothing.
 * A NUL cannot be in a buffer and goes as a key. A paste into a pane whose process has ended takes tmux 3.3a down with everybody's
 * sessions (bufferevent of a closed pty), so tmux itself looks first.
 */
export function pasteLines(pane: string, bytes: string, tag: string): readonly CommandLine[] {
  return bytes.split('\0').flatMap((part, at) => {
    const nul = at === 0 ? [] : [`send-keys -H -t ${pane} 0`];
    if (part === '') return nul;
    const buffer = `buddy-typed-${tag}-${at}`;
    const paste = `paste-buffer -r -d -b ${buffer} -t ${pane}`;
    const guarded = `if-shell -F -t ${pane} ${tmuxWord('#{pane_dead}')} ${tmuxWord(`delete-buffer -b ${buffer}`)} ${tmuxWord(paste)}`;
    return [...nul, `set-buffer -b ${buffer} ${tmuxWord(part)}`, { line: guarded, nested: true }];
  });
}

/** The lines with which the tmux server writes `text` into the existing file `path`; it keeps its mode. */
export function saveLines(path: string, text: string, tag: string): readonly string[] {
  const buffer = `buddy-file-${tag}`;
  // tmux makes no empty buffer.
  const content = tmuxWord(text === '' ? '\n' : text);
  return [`set-buffer -b ${buffer} ${content}`, `save-buffer -b ${buffer} ${tmuxWord(path)}`, `delete-buffer -b ${buffer}`];
}

/** Asks for cursor and screen; `use` gets them before any later byte of the pane is looked at. A lost channel answers nothing. */
export function copyScreen(channel: ControlChannel, pane: string, use: (copy: ScreenCopy) => void): void {
  let cursor = '';
  const keyboard = '#{keypad_cursor_flag} #{mouse_standard_flag} #{mouse_button_flag} #{mouse_all_flag} #{mouse_sgr_flag}';
  const format = `#{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag} ${keyboard}`;
  channel
    .request(`display-message -p -t ${pane} ${tmuxWord(format)}`, ({ ok, lines }) => {
      if (ok) cursor = lines[0] ?? '';
    })
    .catch(() => undefined);
  channel
    .request(`capture-pane -p -e -t ${pane}`, ({ ok, lines }) => {
      const copy = ok ? screenCopy(cursor, lines) : null;
      if (copy !== null) use(copy);
    })
    .catch(() => undefined);
}

/** Both replies as a screen, or null when the first is no answer. */
function screenCopy(cursor: string, lines: readonly string[]): ScreenCopy | null {
  const [cols, rows, x, y, shown, application, standard, button, all, sgr] = cursor.split(' ').map(Number);
  if (cols === undefined || rows === undefined || x === undefined || y === undefined || !(cols > 0) || !(rows > 0)) return null;
  const mouse = all === 1 ? 'any' : button === 1 ? 'drag' : standard === 1 ? 'vt200' : 'none';
  const modes = { applicationCursor: application === 1, mouse, mouseSgr: sgr === 1 } as const;
  return { cols, rows, lines, cursor: { x, y, shown: shown === 1 }, modes };
}

/** The row of the cursor up to the cursor, '' when it is not told. */
export async function cursorLine(channel: ControlChannel, pane: string): Promise<string> {
  try {
    const asked = await channel.request(`display-message -p -t ${pane} ${tmuxWord('#{cursor_x} #{cursor_y}')}`);
    const [x, y] = (asked.lines[0] ?? '').split(' ').map(Number);
    if (!asked.ok || x === undefined || y === undefined || !Number.isInteger(y)) return '';
    const shown = await channel.request(`capture-pane -p -N -S ${y} -E ${y} -t ${pane}`);
    return shown.ok ? `${x} ${(shown.lines[0] ?? '').trimEnd()}` : '';
  } catch {
    return '';
  }
}

/** Process id of the shell of a pane, 0 when it is not told. */
export async function shellPidOf(channel: ControlChannel, pane: string): Promise<number> {
  const asked = await channel.request(`display-message -p -t ${pane} ${tmuxWord('#{pane_pid}')}`).catch(() => null);
  return Number(asked?.lines[0] ?? 0);
}
