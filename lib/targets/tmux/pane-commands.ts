/** tmux command lines about one pane: making it, typing and pasting into it. */

import type { CommandLine, ControlChannel } from './control-channel.js';
import { formatLiteral, tmuxBytes, tmuxWord } from './quoting.js';

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
 * The lines that type `bytes` as they are: through a buffer, so no key name is looked up and copy mode swallows nothing. A NUL cannot
 * be in a buffer and goes as a key. With a `shellPid` they are typed only while the pane's own process has it: tmux drops them when
 * somebody has put another program there (0: whatever is there).
 */
export function pasteLines(pane: string, bytes: string, tag: string, shellPid = 0): readonly CommandLine[] {
  return bytes.split('\0').flatMap((part, at) => {
    const nul = at === 0 ? [] : [`send-keys -H -t ${pane} 0`];
    if (part === '') return nul;
    const buffer = `buddy-typed-${tag}-${at}`;
    return [...nul, `set-buffer -b ${buffer} -- ${tmuxWord(part)}`, guardedPaste(pane, buffer, '', shellPid)];
  });
}

/** Characters of a paste in one command line. */
const PASTE_PIECE = 4096;

/**
 * The lines that paste `text` as a terminal does: line ends as the Enter key sends them, control characters left out (no paste may end
 * its own marks or press keys), between marks when the program asked for them. Whether it did is for tmux to say, which has seen every
 * byte; but a pane in copy mode shows another screen, whose answer is no, so it leaves that first.
 */
export function bracketedPasteLines(pane: string, text: string, tag: string): readonly CommandLine[] {
  const pasted = text.replace(/\r\n?|\n/g, '\r').replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '');
  if (pasted === '') return [];
  const buffer = `buddy-pasted-${tag}`;
  const bytes = Buffer.from(pasted, 'utf8');
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PASTE_PIECE) {
    lines.push(`set-buffer ${at === 0 ? '' : '-a '}-b ${buffer} -- ${tmuxBytes(bytes.subarray(at, at + PASTE_PIECE))}`);
  }
  return [...lines, `copy-mode -q -t ${pane}`, guardedPaste(pane, buffer, '-p ')];
}

/**
 * Pastes a buffer and deletes it. A paste into a pane whose process has ended takes tmux 3.3a down with everybody's sessions
 * (bufferevent of a closed pty), so tmux itself looks first.
 */
function guardedPaste(pane: string, buffer: string, flags: string, shellPid = 0): CommandLine {
  const hinders = shellPid === 0 ? '#{pane_dead}' : `#{||:#{pane_dead},#{!=:#{pane_pid},${shellPid}}}`;
  const paste = tmuxWord(`paste-buffer ${flags}-r -d -b ${buffer} -t ${pane}`);
  return { line: `if-shell -F -t ${pane} ${tmuxWord(hinders)} ${tmuxWord(`delete-buffer -b ${buffer}`)} ${paste}`, nested: true };
}

/** The lines with which the tmux server writes `text` into the existing file `path`; it keeps its mode. */
export function saveLines(path: string, text: string, tag: string): readonly string[] {
  const buffer = `buddy-file-${tag}`;
  // tmux makes no empty buffer.
  const content = tmuxWord(text === '' ? '\n' : text);
  return [`set-buffer -b ${buffer} -- ${content}`, `save-buffer -b ${buffer} ${tmuxWord(path)}`, `delete-buffer -b ${buffer}`];
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
