/** The composition root: makes the process a `Host`, reads the command line, and hands over to a mode. */

import { homedir, hostname, userInfo } from 'node:os';
import { bugReport, reportBugs } from './base/bug-report.js';
import { systemClock } from './base/clock.js';
import { BuddyError, exitCodes } from './base/errors.js';
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
    process.exitCode = report(host, thrown);
  }
}

/** They take the terminal, or find out that they have none: they look after faults themselves. */
const ofScreens: ReadonlySet<Invocation['kind']> = new Set(['dashboard', 'resume', 'keys', 'traceui', 'replay']);

async function run(host: Host): Promise<number> {
  const invocation = await invocationOf(host);
  if (!ofScreens.has(invocation.kind)) reportBugs(host);
  switch (invocation.kind) {
    case 'printed': {
      const stream = invocation.code === exitCodes.ok ? host.stdout : host.stderr;
      stream.on('error', () => undefined);
      stream.write(visible(invocation.text));
      return invocation.code;
    }
    case 'exec': {
      const { exec } = await import('./modes/exec.js');
      host.timing?.mark('imports');
      return exec(host, invocation);
    }
    case 'rpc': {
      const { rpc } = await import('./modes/rpc.js');
      host.timing?.mark('imports');
      return rpc(host, invocation);
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
function report(host: Host, thrown: unknown): number {
  if (!(thrown instanceof BuddyError)) {
    host.stderr.write(bugReport(host, thrown));
    return exitCodes.bug;
  }
  const text = `buddy-tui: ${thrown.message}${thrown.hint === undefined ? '' : `\n${thrown.hint}`}\n`;
  host.stderr.write(visible(host.masked?.(text) ?? text));
  return /^(usage|config|terminal|trace|target)\./.test(thrown.code) ? exitCodes.usage : exitCodes.failed;
}

function hostOf(process: NodeJS.Process, packageDir: string, version: string): Host {
  let redact = (text: string) => text;
  let recordedIn: string | null = null;
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
    recordIn(path) {
      recordedIn = path;
    },
    recordedIn: () => recordedIn,
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
