/** A folder for sessions that is removed after the tests of a file. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '../../lib/policy/redaction.js';
import type { SessionHeader } from '../../lib/runtime/sessions/header.js';
import type { SessionPlace } from '../../lib/runtime/sessions/session-folder.js';
import { FakeClock } from './fake-clock.js';

/** A place in a folder of its own, of this process. */
export function freshPlace(): SessionPlace & { readonly clock: FakeClock } {
  const cwd = mkdtempSync(join(tmpdir(), 'sessions-'));
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));
  return {
    cwd,
    key: Buffer.from('a key of this person'),
    redact: createRedactor(['hunter2-hunter2']),
    clock: new FakeClock(),
    holder: { pid: process.pid, hostname: 'here' },
  };
}

/** The header of a session that begins there. */
export function headerOf({ cwd, clock }: SessionPlace, session: string): SessionHeader {
  return { session, createdMs: clock.now(), cwd, target: 'local', parent: null };
}
