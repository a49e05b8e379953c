/** A tmux server of the script's own with a shell in it: the terminal that the program is started on, and that is looked at. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Between two looks (milliseconds). */
const LOOK_MS = 20;

/** Opens it; `name` is the name of its socket. */
export function openEye(name, { env, cwd }) {
  const tmux = (...args) => spawnSync('tmux', ['-u', '-L', name, '-f', '/dev/null', ...args], { encoding: 'utf8', env, cwd }).stdout ?? '';
  const shell = 'exec env PS1="READY> " bash --norc --noprofile';
  tmux('new-session', '-d', '-s', 'e', '-x', '140', '-y', '45', shell, ';', 'set-option', '-g', 'escape-time', '5');
  const screen = () => tmux('capture-pane', '-p', '-t', 'e');
  const eye = {
    screen,
    press: (...keys) => tmux('send-keys', '-t', 'e', ...keys),
    type: (text) => tmux('send-keys', '-t', 'e', '-l', text),
    line(text) {
      eye.type(text);
      eye.press('Enter');
    },
    /** The screen, once it matches; null when it has not after so many milliseconds or `until` says so. */
    async sees(what, { withinMs = 30_000, until = () => false } = {}) {
      const end = Date.now() + withinMs;
      for (;;) {
        const text = screen();
        if (what.test(text)) return text;
        if (Date.now() > end || until()) return null;
        await pause(LOOK_MS);
      }
    },
    /** A word about the terminal itself: `alternate_on`, `mouse_any_flag`, `cursor_flag`. */
    flag: (word) => tmux('display-message', '-p', '-t', 'e', `#{${word}}`).trim(),
    close() {
      tmux('kill-server');
      rmSync(`/tmp/tmux-${userInfo().uid}/${name}`, { force: true });
    },
  };
  return eye;
}
