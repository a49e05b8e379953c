/** The one program that holds a connection: started, heard out, explained when it fails, and with a person's help where it asks. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { abortError, BuddyError } from '../../base/errors.js';
import { type Child, startProcess } from '../../base/process.js';
import { settledWithin } from '../../base/settled.js';
import type { AskOnTerminal, Carrier, Trouble } from './carrier.js';
import type { PlaceFacts } from './place.js';
import { anchorScript, readFacts } from './remote-script.js';

export interface AnchorOptions {
  readonly carrier: Carrier;
  readonly clock: Clock;
  /** Of this host, for the program that connects. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A connection that stands. */
export interface Anchor {
  readonly child: Child;
  readonly facts: PlaceFacts;
  /** LC_ALL, LC_CTYPE or LANG there; '' when none is set. */
  readonly locale: string;
  /** What its program has complained since. */
  said(): string;
}

/** From the start of the connecting program to the facts; a login shell may be slow. */
const CONNECT_LIMIT_MS = 40_000;
/** Characters kept of what a program says. */
const KEPT = 4000;

/**
 * Connects. It first tries without questions; when only a person can help and `ask` is given, the person is asked. Throws
 * `target.connect`, or `target.login` when a person is needed.
 */
export async function openAnchor(options: AnchorOptions, ask: AskOnTerminal | null, signal: AbortSignal): Promise<Anchor> {
  const { carrier } = options;
  try {
    return await attempt(options, signal);
  } catch (thrown) {
    if (ask === null || carrier.login === null || !needsLogin(thrown)) throw thrown;
    const why = thrown.message;
    await carrier.prepare(signal);
    const code = await ask(carrier.login(), why, signal);
    if (signal.aborted) throw abortError();
    if (code !== 0) throw new BuddyError('target.login', `cannot connect to ${carrier.name}: the login was given up or refused`);
  }
  return connected(options, signal);
}

/** True when only a person can make the connection. */
export function needsLogin(thrown: unknown): thrown is BuddyError {
  return thrown instanceof BuddyError && thrown.code === 'target.login';
}

async function attempt(options: AnchorOptions, signal: AbortSignal): Promise<Anchor> {
  if (signal.aborted) throw abortError();
  await options.carrier.prepare(signal);
  return connected(options, signal);
}

async function connected({ carrier, clock, environment }: AnchorOptions, signal: AbortSignal): Promise<Anchor> {
  if (signal.aborted) throw abortError();
  const mark = randomBytes(12).toString('hex');
  const { file, args } = carrier.launch(anchorScript(mark), 'anchor');
  // A group of its own: Ctrl-C and Ctrl-Z of the user's terminal are not meant for it.
  const child = startProcess(file, args, { env: environment, ownGroup: true });
  const onAbort = () => child.kill('SIGKILL');
  signal.addEventListener('abort', onAbort, { once: true });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr = `${stderr}${bytes.toString('utf8')}`.slice(-KEPT);
  });
  const told = new Promise<ReturnType<typeof readFacts>>((resolve) => {
    child.stdout.on('data', (bytes: Buffer) => {
      stdout = `${stdout}${bytes.toString('utf8')}`.slice(-100_000);
      const facts = readFacts(stdout, mark);
      if (facts !== null) resolve(facts);
    });
    void child.ended.then(() => resolve(null));
  });
  const inTime = await settledWithin(told, CONNECT_LIMIT_MS, clock, signal);
  const found = inTime ? await told : null;
  signal.removeEventListener('abort', onAbort);
  if (found === null || signal.aborted) {
    child.kill('SIGKILL');
    const { code, error } = await child.ended;
    if (signal.aborted) throw abortError();
    if (!inTime) throw refusal(carrier, { reason: `no answer within ${CONNECT_LIMIT_MS / 1000} seconds` });
    // What refuses an account (nologin, chsh) says so on standard output.
    throw refusal(carrier, await carrier.explain(error?.message ?? (stderr.trim() || stdout.slice(-KEPT)), code));
  }
  child.stdout.removeAllListeners('data');
  child.stdout.resume();
  return { child, facts: found.facts, locale: found.locale, said: () => stderr };
}

function refusal(carrier: Carrier, { reason, hint, needsLogin: asks }: Trouble): BuddyError {
  const code = asks === true ? 'target.login' : 'target.connect';
  return new BuddyError(code, `cannot connect to ${carrier.name}: ${reason}`, hint === undefined ? {} : { hint });
}
