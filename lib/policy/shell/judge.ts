/**
 * The judge of shell commands: may it run, has a person to be asked, or is it refused? It judges what it can read, and asks about
 * everything else. It stops accidents and is no boundary: whatever can run code can do what it forbids.
 */

import type { Caution, ComputedRisk } from '../../protocol/approvals.js';
import { isInText } from '../denied-text.js';
import { plainWords } from '../plain-command.js';
import { deniedBy, unreadableRefusal } from '../shell-command.js';
import { askedActs, askedOpening, askedVariables } from './asked-acts.js';
import { isWords, matchOf, readings } from './denylist.js';
import { type Effects, effectsOf } from './effects.js';
import { isOnlyZsh } from './interpreters.js';
import { type Found, type Invocation, invocationsOf } from './invocations.js';
import type { Judgement } from './judgement.js';
import { escapesIn } from './program-files.js';
import { wrapperOf } from './wrappers.js';
import { runsWhatItWrote } from './written-files.js';

/** What is known when a command is judged. */
export interface Circumstances {
  /** Entries as tools.shell_denylist has them. */
  readonly denylist: readonly string[];
  /** What the policy in force means for a command that is harmless by itself. */
  readonly mode: 'ask' | 'all' | 'none';
  /** A rule of the user covers it. Default false. */
  readonly isRuled?: boolean;
  /** The shell that will read it, by its name. Default bash. */
  readonly shell?: string;
}

const ESCAPE = 'it gives a program something that has it start another one';
const UNSEEN = 'what it sends over the network is known to the shell alone';
/** More text than that is not judged. */
const LONGEST_BYTES = 64 * 1024;
/** Shells that read what bash reads, or nearly. */
const POSIX_SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'ksh', 'mksh', 'zsh']);
/** The parser goes no deeper either, and takes long to find that out. */
const DEEPEST_BRACKETS = 256;

/** Judges one command. Pure; never throws, and takes no longer than about a second. */
export function judgeShell(command: string, circumstances: Circumstances): Judgement {
  const { denylist, mode, isRuled = false, shell = 'bash' } = circumstances;
  const unreadable = unreadableRefusal(command);
  if (unreadable !== null) return refused(unreadable, []);
  const asText = denylist.find((entry) => !isWords(entry) && isInText(entry, command));
  if (asText !== undefined) return refused(deniedBy(asText), []);
  if (Buffer.byteLength(command) > LONGEST_BYTES || bracketDepth(command) > DEEPEST_BRACKETS)
    return { ...blind, decision: mode === 'none' ? 'deny' : 'ask', reasons: ['it is too long or nested too deep to be judged'] };
  const found = invocationsOf(command);
  const commands = found.invocations.map(({ argv }) => argv.map(({ text }) => text));
  const denied = denylist.find((entry) => isWords(entry) && found.invocations.some((invocation) => matchOf(entry, invocation) === 'yes'));
  if (denied !== undefined) return refused(deniedBy(denied), commands);
  const reasons = [...new Set([...found.doubts, ...mentions(command, found, denylist), ...asked(found)])];
  const foreign = foreignTo(command, shell);
  const caution: Caution = reasons.length > 0 ? 'user' : foreign === null ? 'policy' : 'rule';
  const all = foreign === null ? reasons : [...reasons, foreign];
  const judged = { ...effects(found, reasons), decision: decisionOf(caution, mode, isRuled), reasons: all };
  return { ...judged, caution, narrows: found.invocations.some(sendsUnseen) ? [UNSEEN] : [], commands };
}

/** An address or a name may carry away what a command or a variable holds. */
function sendsUnseen(invocation: Invocation): boolean {
  return effectsOf(invocation).network && invocation.argv.slice(1).some(({ hasGaps, computed }) => hasGaps || computed);
}

function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function decisionOf(caution: Caution, mode: Circumstances['mode'], isRuled: boolean): Judgement['decision'] {
  if (mode === 'none') return 'deny';
  if (caution === 'user') return 'ask';
  return isRuled || (mode === 'all' && caution === 'policy') ? 'run' : 'ask';
}

/** What is thought of text that nobody has read. */
const blind = { caution: 'user', narrows: [], risk: 'high', mutation: true, privesc: false, network: false, commands: [] } as const;

function refused(reason: string, commands: Judgement['commands']): Judgement {
  return { ...blind, decision: 'deny', reasons: [reason], commands };
}

/** The denylist, where it may be meant but nobody can be sure. */
function mentions(command: string, found: Found, denylist: readonly string[]): readonly string[] {
  const texts = readings([command, found.texts.join(' ')].join('\n'));
  return denylist
    .filter(
      (entry) =>
        texts.some((text) => isInText(entry, text)) || found.invocations.some((invocation) => matchOf(entry, invocation) === 'perhaps'),
    )
    .map((entry) => `it could come to "${entry.trim()}", which is on the denylist`);
}

function asked(found: Found): readonly string[] {
  return [
    ...found.invocations.flatMap(askedActs),
    ...found.opened.flatMap(({ path, writes }) => askedOpening(path, writes)),
    ...askedVariables(found.assigned),
    ...(escapesIn(new Set(found.invocations.map(({ name }) => name)), found.texts) ? [ESCAPE] : []),
    ...(runsWhatItWrote(found) ? ['it runs a file that it has written itself'] : []),
  ];
}

/** Why a reading as bash says nothing about that shell, or null. */
function foreignTo(command: string, shell: string): string | null {
  if (!POSIX_SHELLS.has(shell)) return `${shell === '' ? 'an unknown shell' : shell} may read it in another way than it was judged`;
  return shell === 'zsh' && plainWords(command) === null && isOnlyZsh(command) ? 'zsh may read it in another way than it was judged' : null;
}

function effects({ invocations, opened }: Found, reasons: readonly string[]): Omit<ComputedRisk, 'reasons'> {
  const each = invocations.map(effectsOf);
  const writes = opened.some(
    ({ path, writes: isWritten }) => isWritten && !/^\/dev\/(?:null|stdout|stderr|fd\/\d+)$|^\d+$|^-$/.test(path.text),
  );
  const mutation = writes || each.some((effect) => effect.mutation);
  const network = each.some((effect) => effect.network) || invocations.some(({ where }) => where.elsewhere);
  const privesc = invocations.some(
    ({ name, argv, where }) =>
      where.gains ||
      wrapperOf(
        name,
        argv.slice(1).map(({ text }) => text),
      )?.wrapper.gains === true,
  );
  const risk = riskOf(each, { reasons, mutation, privesc, network });
  return { risk, mutation, privesc, network };
}

interface Weighed {
  readonly reasons: readonly string[];
  readonly mutation: boolean;
  readonly privesc: boolean;
  readonly network: boolean;
}

function riskOf(each: readonly Effects[], { reasons, mutation, privesc, network }: Weighed): Judgement['risk'] {
  if (reasons.length > 0 || each.some((effect) => effect.grave) || (privesc && mutation)) return 'high';
  return mutation || privesc || network ? 'medium' : 'low';
}
