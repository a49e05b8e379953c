/** The composition root: makes the process a `Host`, reads the command line, and hands over to a mode. */

import { homedir, hostname, userInfo } from 'node:os';
import { systemClock } from './base/clock.js';
import { BuddyError, exitCodes, hasText, messageOf } from './base/errors.js';
import type { Host } from './base/host.js';
import { createStartTiming } from './base/start-timing.js';
import { listenForStray } from './base/stray-output.js';
import { visible } from './base/visible.js';
import { defaultOptions, type Invocation } from './cli-options.js';

/** What the street door knows of the package. */
export interface Package {
  readonly packageDir: string;
  readonly version: string;
}

/** Runs the program to its end and leaves its exit code. Never rejects: what is thrown becomes a sentence, or a stack for a bug. */
export async function main(process: NodeJS.Process, { packageDir, version }: Package): Promise<void> {
  const timing = process.env['BUDDY_TIMING'] === '1' ? createStartTiming(() => systemClock.monotonic()) : null;
  timing?.mark('node');
  const host = { ...hostOf(process, packageDir, version), ...(timing === null ? {} : { timing }) };
  if (timing !== null) process.on('exit', () => process.stderr.write(timing.report()));
  // Whoever read our messages is gone: no reason to fall.
  process.stderr.on('error', () => undefined);
  try {
    process.exitCode = await run(host);
  } catch (thrown) {
    process.exitCode = report(thrown, (text) => process.stderr.write(host.masked(text)));
  }
}

async function run(host: Host): Promise<number> {
  const invocation = await invocationOf(host);
  switch (invocation.kind) {
    case 'printed': {
      const stream = invocation.code === exitCodes.ok ? host.stdout : host.stderr;
      stream.on('error', () => undefined);
      stream.write(visible(invocation.text));
      return invocation.code;
    }
    case 'exec': {
      for (const fault of ['uncaughtException', 'unhandledRejection']) host.on(fault, (thrown) => endWithBug(host, thrown));
      const { exec } = await import('./modes/exec.js');
      host.timing?.mark('imports');
      return exec(host, invocation);
    }
    case 'doctor': {
      const { doctor } = await import('./modes/doctor.js');
      host.timing?.mark('imports');
      return doctor(host, invocation);
    }
    case 'resume': {
      const { resume } = await import('./modes/resume.js');
      return resume(host, invocation);
    }
    case 'init': {
      const { init } = await import('./modes/init.js');
      return init(host, invocation);
    }
    case 'login': {
      const { login } = await import('./modes/login.js');
      return login(host, invocation);
    }
    case 'logout': {
      const { logout } = await import('./modes/logout.js');
      return logout(host, invocation);
    }
    case 'trust': {
      const { trust } = await import('./modes/trust.js');
      return trust(host, invocation);
    }
    case 'trace': {
      const { trace } = await import('./modes/trace.js');
      return trace(host, invocation);
    }
    case 'traceui': {
      const { traceui } = await import('./modes/traceui.js');
      return traceui(host, invocation);
    }
    case 'replay': {
      const { replay } = await import('./modes/replay.js');
      return replay(host, invocation);
    }
    case 'keys': {
      const { keys } = await import('./modes/keys.js');
      return keys(host, invocation);
    }
    case 'dashboard': {
      const { dashboard } = await import('./modes/dashboard.js');
      host.timing?.mark('imports');
      return dashboard(host, invocation.options);
    }
  }
}

/** The grammar is only loaded when there is something to parse: the plain start is the one that must be fast. */
async function invocationOf(host: Host): Promise<Invocation> {
  if (host.argv.length === 0) return { kind: 'dashboard', options: defaultOptions };
  const { parseCommandLine } = await import('./cli.js');
  return parseCommandLine(host.argv, host.version, host.stdout.columns ?? 80);
}

/** Tells what was thrown, and answers the exit code: 2 for the user's input, 1 for a task, 70 for a bug. */
function report(thrown: unknown, write: (text: string) => void): number {
  if (!(thrown instanceof BuddyError)) {
    const stack = hasText(thrown, 'stack') ? thrown.stack : messageOf(thrown);
    write(`buddy-tui: this is a bug:\n${visible(stack)}\n`);
    return exitCodes.bug;
  }
  write(`buddy-tui: ${visible(thrown.message)}${thrown.hint === undefined ? '' : `\n${visible(thrown.hint)}`}\n`);
  return /^(usage|config|terminal|trace|target)\./.test(thrown.code) ? exitCodes.usage : exitCodes.failed;
}

/** A fault that nobody awaited; the dashboard has its own way, since it must give the terminal back first. */
function endWithBug(host: Host, thrown: unknown): never {
  report(thrown, (text) => host.stderr.write(host.masked?.(text) ?? text));
  return host.exit(exitCodes.bug);
}

function hostOf(process: NodeJS.Process, packageDir: string, version: string): Host & Required<Pick<Host, 'masked'>> {
  let redact = (text: string) => text;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    homeDir: homedir(),
    pid: process.pid,
    platform: process.platform,
    user: userName(),
    hostname: hostname(),
    packageDir,
    version,
    execPath: process.execPath,
    nodeVersion: process.version,
    uid: process.getuid?.() ?? null,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    on(name, run) {
      process.on(name, run);
      return () => process.off(name, run);
    },
    onStray: (run) => listenForStray(process, run),
    maskReports(by) {
      redact = by;
    },
    masked: (text) => redact(text),
    signalSelf: (signal) => process.kill(process.pid, signal),
    exit: (code) => process.exit(code),
  };
}

/** The user's name; their number where the system knows no name for it (containers). */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
