/**
 * A small `sh` that puts the terminal right when this process cannot: killed by SIGKILL, out of memory, aborted. It reads a pipe of
 * which only we hold the other end; the end of the pipe while we hold the screen means that we died.
 */

import { type Listener, readProcessSync, startListener } from '../base/process.js';
import { RESET } from './modes.js';

/** How long `stty -g` may take before the start goes on without it. */
const STTY_LIMIT_MS = 1000;

/**
 * `$1` the settings to go back to, `$2` the reset string. Lines from us: `in` (we hold the screen), `out` (we do not). It lives in a
 * session of its own, so that nothing from the terminal reaches it. The settings are put back only while they still are the ones
 * that we made: a shell that came back first has set its own. A terminal that is gone ends it; a stalled one is tried for a while.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE
state=out raw=
while IFS= read -r line; do
  state=$line
  if [ "$state" = in ]; then raw=$(stty -g <&3); fi
done
[ "$state" = in ] || exit 0
tries=0
until printf '%s' "$2" >&3; do
  stty -g <&3 >/dev/null || exit 0
  tries=$((tries + 1))
  [ "$tries" -lt 30 ] || exit 0
  sleep 1
done
if [ -n "$1" ] && [ "$(stty -g <&3)" = "$raw" ]; then stty "$1" <&3; fi
`;

export interface Guardian {
  /** We hold the screen now, in raw mode. */
  guard(): void;
  /** We do not hold the screen any more. */
  release(): void;
  /** Ends it: with the screen released it just goes, otherwise it does its work now. */
  end(): void;
}

/** What of the process the guardian needs: where `stty` is found. */
export interface GuardianOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the terminal. */
  readonly descriptor: number;
}

/** The terminal's settings as `stty -g` writes them, '' when there is no way to know. To be called before raw mode. */
export function terminalSettings(options: GuardianOptions): string {
  const { env, descriptor } = options;
  return (readProcessSync('stty', ['-g'], { env: { PATH: env['PATH'] }, descriptor, limitMs: STTY_LIMIT_MS }) ?? '').trim();
}

/** A guardian that starts its `sh` when it is first needed; `settings` come from `terminalSettings`. */
export function createGuardian(options: GuardianOptions, settings: string): Guardian {
  let listener: Listener | null = null;
  return {
    guard() {
      listener ??= startListener('/bin/sh', ['-c', SCRIPT, 'buddy-tui-guardian', settings, RESET], {
        env: { PATH: options.env['PATH'] },
        cwd: '/',
        descriptor: options.descriptor,
      });
      listener.write('in\n');
    },
    release: () => listener?.write('out\n'),
    end() {
      listener?.end();
      listener = null;
    },
  };
}
