/** What doctor says of sessions, folders and locks of this program, and how it clears them away. */

import { formatMoment } from '../base/duration.js';
import { messageOf } from '../base/errors.js';
import { readdir, readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import { runProcess } from '../base/process.js';
import {
  endListed,
  type LeftBehind,
  type ListedSession,
  leftBehind,
  listSessions,
  type Place,
  placeHere,
  removeLeftBehind,
  withSocketLock,
} from '../targets/index.js';
import type { DoctorRequest, Finding } from './doctor-finding.js';

/** For one tmux server to answer; one that hangs must not hang us. */
const LIMIT_MS = 5000;

type Cleaning = Pick<DoctorRequest, 'clean' | 'kept'>;

/** Everything on this host; with `clean` the orphans and what is stale are gone afterwards. */
export async function leftoverFindings(host: Host, socket: string, cleaning: Cleaning): Promise<readonly Finding[]> {
  const place = placeHere(host, {});
  const findings: Finding[] = [];
  let listed = 0;
  for (const name of await socketsOf(host, socket)) {
    const sessions = await sessionsOn(host, place, name);
    if ('trouble' in sessions) {
      const remedy = `Look at it with "tmux -L ${name} ls".`;
      findings.push({ about: 'server', state: 'problem', text: `the tmux server ${name} cannot be asked: ${sessions.trouble}`, remedy });
      continue;
    }
    for (const session of sessions.found) {
      listed++;
      findings.push(await sessionFinding(host, place, name, session, cleaning));
    }
  }
  if (listed === 0) findings.push({ about: 'session', state: 'ok', text: 'none is there' });
  return [...findings, ...(await fileFindings(host, cleaning))];
}

/** Names of the sockets of this user's tmux servers; the one of the settings first. */
async function socketsOf({ env, uid }: Host, socket: string): Promise<readonly string[]> {
  const folder = env['TMUX_TMPDIR'] ?? '';
  const place = `${folder === '' ? '/tmp' : folder}/tmux-${uid ?? 0}`;
  const names = await readdir(place).catch((): string[] => []);
  const listening = listeningSockets();
  const isAlive = (name: string) => names.includes(name) && listening?.has(`${place}/${name}`) !== false;
  return [socket, ...names.filter((name) => name !== socket).sort()].filter(isAlive);
}

/** Paths of the sockets that somebody listens on (Linux); null where that cannot be told. Servers leave thousands of dead ones behind. */
function listeningSockets(): ReadonlySet<string> | null {
  try {
    const lines = (readTextIfPresent('/proc/net/unix') ?? '').split('\n');
    return lines.length < 2 ? null : new Set(lines.map((line) => line.slice(line.indexOf('/'))));
  } catch {
    return null;
  }
}

type Sessions = { readonly found: readonly ListedSession[] } | { readonly trouble: string };

async function sessionsOn(host: Host, place: Place, socket: string): Promise<Sessions> {
  const limit = new AbortController();
  const timer = host.clock.after(LIMIT_MS, () => limit.abort());
  try {
    return { found: (await listSessions(place, socket, host.hostname, limit.signal)) ?? [] };
  } catch (thrown) {
    return { trouble: limit.signal.aborted ? `no answer within ${LIMIT_MS / 1000} seconds` : messageOf(thrown) };
  } finally {
    timer.dispose();
  }
}

async function sessionFinding(
  host: Host,
  place: Place,
  socket: string,
  session: ListedSession,
  { clean, kept }: Cleaning,
): Promise<Finding> {
  const { name, owner, attached, ownership, panes } = session;
  const runs = panes.map(({ pane, program, dead }) => `${pane} ${dead ? 'ended' : program}`).join(', ');
  const seen = attached === 0 ? 'nobody is attached' : `${attached} attached`;
  const text = `${name} (tmux -L ${socket}): ${ownerWords(session)}; ${seen}; panes: ${runs}`;
  const { record: _record, ...who } = { record: null, ...ownership };
  const facts = { name, socket, owner, attached, ownership: who, panes };
  const isOrphan = ownership.kind === 'orphan' && attached === 0;
  const isAbandoned = ownership.kind === 'kept' && ownership.record === null;
  if (clean && (isOrphan || (kept && ownership.kind === 'kept' && attached === 0))) {
    const signal = new AbortController().signal;
    const ended = await withSocketLock(host, socket, () => endListed(place, socket, session, signal)).catch(() => false);
    if (ended) return { about: 'session', state: 'cleaned', text: `${text}\nended`, facts };
  }
  if (isOrphan) return { about: 'session', state: 'problem', text, remedy: 'buddy-tui doctor --clean ends it.', facts };
  if (isAbandoned) return { about: 'session', state: 'problem', text, remedy: 'buddy-tui doctor --clean --kept ends it.', facts };
  return { about: 'session', state: ownership.kind === 'live' || ownership.kind === 'kept' ? 'ok' : 'note', text, facts };
}

function ownerWords({ ownership }: ListedSession): string {
  switch (ownership.kind) {
    case 'live':
      return `of process ${ownership.pid}, which runs`;
    case 'orphan':
      return `an orphan: process ${ownership.pid} is gone`;
    case 'kept':
      return `kept since ${formatMoment(ownership.keptMs)}${ownership.record === null ? ', but what is needed to continue in it is gone' : ''}`;
    case 'elsewhere':
      return `of a program on ${ownership.host}`;
    case 'unknown':
      return 'its labels are not ours';
  }
}

async function fileFindings(host: Host, { clean }: Cleaning): Promise<readonly Finding[]> {
  const { uid, hostname } = host;
  if (uid === null) return [];
  const findings: Finding[] = [];
  for (const one of await leftBehind(uid, hostname)) {
    const { path, kind, why, masters } = one;
    const text = `${path} ${why}${masters.length > 0 ? ', with a shared ssh connection' : ''}`;
    const facts = { path, kind, state: one.state, why, masters };
    if (one.state !== 'stale') {
      findings.push({ about: kind, state: one.state === 'used' ? 'ok' : 'note', text, facts });
    } else if (clean && (await removed(host, one))) {
      findings.push({ about: kind, state: 'cleaned', text: `${text}\nremoved`, facts });
    } else findings.push({ about: kind, state: 'problem', text, remedy: 'buddy-tui doctor --clean removes it.', facts });
  }
  return findings;
}

async function removed(host: Host, one: LeftBehind): Promise<boolean> {
  for (const master of one.masters) {
    const limit = new AbortController();
    const timer = host.clock.after(LIMIT_MS, () => limit.abort());
    // A master that still runs is told to end; ssh wants some host name with that.
    await runProcess(
      'ssh',
      ['-o', `ControlPath=${master}`, '-O', 'exit', 'nowhere'],
      { env: { PATH: host.env['PATH'], HOME: host.homeDir } },
      limit.signal,
    ).catch(() => undefined);
    timer.dispose();
  }
  return host.uid !== null && removeLeftBehind(one, host.uid, host.hostname);
}
