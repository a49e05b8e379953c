/** The first line of a session file: what it is, where it began, and the proof that this person's program wrote it. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionId } from '../../protocol/sessions.js';

/** Of the format. A file of another one is neither read nor written. */
const FORMAT = 1;

/** What a header says. */
export interface SessionHeader {
  readonly session: SessionId;
  /** Wall clock, milliseconds. */
  readonly createdMs: number;
  /** The folder that it belongs to, absolute. */
  readonly cwd: string;
  /** Where its commands ran at first. */
  readonly target: string;
  /** The session that it was copied from. */
  readonly parent: SessionId | null;
}

/** What is found in a first line. */
export type FoundHeader =
  | { readonly kind: 'sound'; readonly header: SessionHeader }
  /** The proof is missing or wrong: it came from elsewhere. */
  | { readonly kind: 'unproven'; readonly header: SessionHeader }
  | { readonly kind: 'other-format' }
  | { readonly kind: 'none' };

/** The header as a line, without its end. `key` is the person's own. */
export function encodeHeader(header: SessionHeader, key: Uint8Array): string {
  const { session, createdMs, cwd, target, parent } = header;
  return JSON.stringify({ type: 'session', format: FORMAT, session, createdMs, cwd, target, parent, mac: proof(header, key) });
}

/** What a first line says. Never throws. */
export function decodeHeader(line: string, key: Uint8Array): FoundHeader {
  const fields = parsed(line);
  if (fields === null || fields['type'] !== 'session') return { kind: 'none' };
  if (fields['format'] !== FORMAT) return { kind: 'other-format' };
  const { session, createdMs, cwd, target, parent, mac } = fields;
  if (typeof session !== 'string' || typeof createdMs !== 'number' || typeof cwd !== 'string' || typeof target !== 'string')
    return { kind: 'none' };
  const header: SessionHeader = { session, createdMs, cwd, target, parent: typeof parent === 'string' ? parent : null };
  return { kind: typeof mac === 'string' && isSame(mac, proof(header, key)) ? 'sound' : 'unproven', header };
}

/** HMAC-SHA-256 (RFC 2104) of the fields in a fixed order. */
function proof({ session, createdMs, cwd, target, parent }: SessionHeader, key: Uint8Array): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([FORMAT, session, createdMs, cwd, target, parent]))
    .digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
