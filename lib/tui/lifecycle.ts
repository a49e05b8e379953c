/** Taking the terminal and giving it back: at the end, on every signal, when suspended, when something broke. */

import { bugReport } from '../base/bug-report.js';
import { type Disposable, DisposableStore, disposable } from '../base/disposable.js';
import { exitCodes } from '../base/errors.js';
import { systemCode, writeSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import { signalOwnGroup } from '../base/process.js';
import { createGuardian, type Guardian, terminalSettings } from './guardian.js';
import { ENTER, KITTY_ON, MOUSE_OFF, MOUSE_ON, RESET } from './modes.js';
import { descriptorOf, type TerminalOutput } from './output.js';

/** How long a stalled terminal is waited for at the end; after that the guardian goes on waiting. */
const RESTORE_LIMIT_MS = 1000;
/** After a signal the program has this long to end by itself. */
const GRACE_MS = 3000;
/** A stop that did not stop us (no job control in this process group) is noticed after this. */
const RETURN_MS = 50;
/** SIGCONT this soon after that is the one we were continued with. */
const RETURN_TWICE_MS = 500;

/** Signals that end the program, and its exit code. */
const stopSignals = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.hangup],
  ['SIGQUIT', 131],
] as const;

export interface LifecycleOptions {
  readonly host: Host;
  readonly output: TerminalOutput;
  readonly mouse: boolean;
  /**
   * A signal, or the terminal is gone: the program should save what it has and exit with `code`. The terminal is restored right after
   * this returns. A second signal, or 3 s, end the process.
   */
  readonly onStop: (code: number) => void;
  /** The terminal was taken (again): nothing is on it. */
  readonly onEnter: () => void;
}

export interface Lifecycle extends Disposable {
  /** True while the screen is ours. */
  readonly inside: boolean;
  /** Takes the terminal; nothing when it is taken. */
  enter(): void;
  /** Gives it back; nothing when it is not taken. */
  restore(): void;
  /** Gives it back and stops the process (and what started it), as Ctrl+Z does; takes it again when continued. */
  suspend(): void;
  /** Gives the terminal to another program for as long as `run` takes, then takes it again. */
  lend<T>(run: () => Promise<T>): Promise<T>;
  /** The terminal speaks the Kitty keyboard protocol: it is used from now on, whenever the screen is ours. */
  useKitty(): void;
  /** Switches mouse reports, so that the terminal's own selection works. */
  setMouse(on: boolean): void;
}

/** From the first `enter` until disposed it answers signals and crashes. Disposing restores. */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { host, output } = options;
  const store = new DisposableStore();
  let inside = false;
  let mouse = options.mouse;
  let kitty = false;
  let stopping = false;
  let guardian: Guardian | null = null;
  let stopListener: Disposable | null = null;
  let suspended = false;
  let lent = false;
  let returnedAtMs = Number.NEGATIVE_INFINITY;

  function enter(): void {
    if (inside || stopping) return;
    guardian ??= prepare();
    inside = true;
    setRaw(true);
    output.setNonBlocking(true);
    guardian.guard();
    output.write(ENTER + (mouse ? MOUSE_ON : '') + (kitty ? KITTY_ON : ''));
    options.onEnter();
  }

  /** The first time: remembers the terminal's settings and begins to listen. */
  function prepare(): Guardian {
    const terminal = { env: host.env, descriptor: descriptorOf(host.stdout, 1) };
    const made = createGuardian(terminal, terminalSettings(terminal));
    const on = (name: string, run: (...args: unknown[]) => void) => store.add(disposable(host.on(name, run)));
    for (const [signal, code] of stopSignals) {
      on(signal, () => {
        // While another program has the terminal, what its keys send is meant for it.
        if (!(lent && (signal === 'SIGINT' || signal === 'SIGQUIT'))) stop(code);
      });
    }
    on('SIGCONT', onContinue);
    on('uncaughtException', crash);
    on('unhandledRejection', crash);
    on('exit', restore);
    listenForSuspend();
    store.add(output.onLost(() => stop(exitCodes.hangup)));
    const hangUp = () => stop(exitCodes.hangup);
    for (const name of ['end', 'close', 'error'] as const) {
      host.stdin.on(name, hangUp);
      store.add(disposable(() => host.stdin.off(name, hangUp)));
    }
    host.stdout.on('error', hangUp);
    store.add(disposable(() => host.stdout.off('error', hangUp)));
    return made;
  }

  function restore(): void {
    if (!inside) return;
    inside = false;
    const whole = output.writeNow(RESET, RESTORE_LIMIT_MS);
    output.setNonBlocking(false);
    setRaw(false);
    // A terminal that did not take the reset gets it from the guardian, when it takes something again.
    if (whole) guardian?.release();
  }

  function setRaw(on: boolean): void {
    try {
      // Node does not set what it believes is set, but a shell may have changed it while we were stopped.
      if (on) host.stdin.setRawMode(false);
      host.stdin.setRawMode(on);
    } catch {
      // The terminal is gone; onLost or the end of stdin says so.
    }
  }

  function stop(code: number): void {
    if (stopping) host.exit(code);
    stopping = true;
    host.clock.after(GRACE_MS, () => host.exit(code));
    try {
      options.onStop(code);
    } finally {
      restore();
    }
  }

  function crash(thrown: unknown): void {
    restore();
    try {
      writeSync(descriptorOf(host.stderr, 2), bugReport(host, thrown));
    } catch (failed) {
      if (systemCode(failed) === null) throw failed;
    }
    host.exit(exitCodes.bug);
  }

  function listenForSuspend(): void {
    stopListener = disposable(host.on('SIGTSTP', () => stopSelf(() => host.signalSelf('SIGTSTP'))));
  }

  /** Our listener has taken the default action of SIGTSTP away: it is off while the signal is sent for real. */
  function stopSelf(send: () => void): void {
    if (stopping || lent || suspended || guardian === null) return;
    suspended = true;
    restore();
    host.stdin.pause();
    stopListener?.dispose();
    send();
    host.clock.after(RETURN_MS, () => {
      if (!suspended) return;
      returnedAtMs = host.clock.monotonic();
      comeBack();
    });
  }

  function comeBack(): void {
    suspended = false;
    listenForSuspend();
    host.stdin.resume();
    enter();
  }

  function onContinue(): void {
    if (stopping || lent) return;
    if (suspended) comeBack();
    else if (inside && host.clock.monotonic() - returnedAtMs >= RETURN_TWICE_MS) {
      // Stopped by SIGSTOP, which nobody is told of: the shell has set the terminal as it likes it.
      inside = false;
      enter();
    }
  }

  async function lend<T>(run: () => Promise<T>): Promise<T> {
    lent = true;
    restore();
    host.stdin.pause();
    try {
      return await run();
    } finally {
      lent = false;
      if (!stopping) {
        host.stdin.resume();
        enter();
      }
    }
  }

  store.add(
    disposable(() => {
      restore();
      guardian?.end();
      stopListener?.dispose();
    }),
  );

  return {
    get inside() {
      return inside;
    },
    enter,
    restore,
    suspend: () => stopSelf(() => signalOwnGroup('SIGTSTP')),
    lend,
    useKitty() {
      if (kitty) return;
      kitty = true;
      if (inside) output.write(KITTY_ON);
    },
    setMouse(on) {
      mouse = on;
      if (inside) output.write(on ? MOUSE_ON : MOUSE_OFF);
    },
    dispose: () => store.dispose(),
  };
}
