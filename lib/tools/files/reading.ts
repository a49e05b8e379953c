/** What is asked before something at the target is read: the same for one file and for all of a folder. */

import { BuddyError } from '../../base/errors.js';
import { hiddenIn } from '../../base/visible.js';
import { readRefusal } from '../../policy/read-path.js';
import { doubtsOfPath } from '../judged.js';
import { absolute } from '../landing.js';
import type { Review, ReviewContext, ToolContext } from '../tool.js';

/** What is to be read. */
export interface Reading {
  readonly path: string;
  readonly why: string;
  /** Where the path leads, links followed, once that was looked at. */
  readonly lands?: string;
}

/** A name may hold what no command line may: it is judged by what is seen of it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** `doing` is the tool, `verb` what a person is told of it: `read`, `search`. */
export function reviewReading(args: Reading, doing: string, verb: string, { target, homeDir, judge }: ReviewContext): Review {
  if (args.path.includes('\0')) return { kind: 'deny', reason: 'the path is refused because it holds a NUL' };
  const path = absolute(args.path, target.summary.cwd, homeDir);
  const { lands = path } = args;
  const refusal = readRefusal(path) ?? readRefusal(lands);
  if (refusal !== null) return { kind: 'deny', reason: refusal };
  const doubts = [...new Set([path, lands].flatMap((of) => doubtsOf(of, judge)))];
  // Before it was looked at: a link may lead to what is asked about.
  if (doubts.length === 0 && args.lands !== undefined) return { kind: 'allow' };
  // There are files with such names. They are read; what is asked about must be seen whole.
  const hidden = doubts.length === 0 ? null : hiddenIn(path + lands);
  if (hidden !== null) return { kind: 'deny', reason: `the path is refused because ${hidden}` };
  return {
    kind: 'ask',
    title: `${verb} ${path}${lands === path ? '' : `, which is ${lands}`}`,
    body: path,
    like: `${doing} ${path} ${lands}`,
    claim: { risk: 'low', mutation: false, privesc: false, why: args.why },
    computed: { risk: 'high', mutation: false, privesc: false, network: false, reasons: doubts },
    // As for a command that opens it: what is read is sent to the model.
    caution: 'user',
    narrows: doubts,
  };
}

/** A link may have been turned since it was judged. Throws `tool.refused` when nobody was asked about what was opened, and somebody has to be. */
export function refuseUnasked({ path, lands }: Reading, real: string, { judge }: Pick<ToolContext, 'judge'>): void {
  if (real === lands) return;
  const reason = readRefusal(real) ?? doubtsOf(real, judge)[0];
  if (reason === undefined) return;
  throw new BuddyError('tool.refused', `${path} leads to ${real} by now, which is asked about (${reason}); nothing of it is told`, {
    hint: 'Make the call anew',
  });
}

/** Why a person is asked before that file is read, also by what the person's own denylist names. */
export function doubtsOf(path: string, judge: ToolContext['judge']): readonly string[] {
  return doubtsOfPath('cat', path.replace(UNSEEN, ''), judge);
}
