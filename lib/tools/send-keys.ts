/** send-keys: types into a managed terminal, for programs that ask. At a shell prompt it is judged like a command. */

import { delay } from '../base/clock.js';
import { hiddenIn } from '../base/visible.js';
import { likenessOf } from '../policy/likeness.js';
import type { Judgement } from '../policy/shell/judgement.js';
import { refusalOf, sharedShellRefusal } from '../policy/shell-command.js';
import type { Caution, ModelClaim } from '../protocol/approvals.js';
import type { PaneInfo, PaneSelector } from '../targets/target.js';
import { asObject, claim, claimNames, claimSchema, fault, flag, optionalText } from './arguments.js';
import { delayMs } from './delay.js';
import { computedFrom, refusalIn } from './judged.js';
import { paneWords, selected, selector, selectorSchema } from './pane-selector.js';
import type { ReviewContext, Tool } from './tool.js';

interface SendKeysArguments {
  readonly at: PaneSelector | null;
  readonly text: string;
  readonly keys: readonly string[];
  readonly enter: boolean;
  readonly delayMs: number;
  readonly claim: ModelClaim;
}

/** The keys that can be named, and the bytes of a pane's terminal for them (terminfo "screen-256color"). */
const keyBytes: Readonly<Record<string, string>> = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  BTab: '\x1b[Z',
  Space: ' ',
  BSpace: '\x7f',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  Home: '\x1b[1~',
  End: '\x1b[4~',
  PageUp: '\x1b[5~',
  PageDown: '\x1b[6~',
  Insert: '\x1b[2~',
  Delete: '\x1b[3~',
};

/** The bytes of a named key: one of the table, or `C-a` … `C-z`, `C-\`, `C-]`. Null: no such key. */
export function bytesOfKey(name: string): string | null {
  const known = keyBytes[name];
  if (known !== undefined) return known;
  const control = /^C-([a-z\\\]])$/.exec(name)?.[1];
  return control === undefined ? null : String.fromCharCode(control.charCodeAt(0) & 0x1f);
}

export const sendKeys: Tool<SendKeysArguments> = {
  name: 'send-keys',
  aliases: ['tmux_send_keys', 'send_keys'],
  description:
    'Types into the shared terminal or another managed pane: text as it is, then named keys in order, then Enter when asked. ' +
    'For programs that wait for input; commands go through run_shell.',
  parameters: {
    type: 'object',
    properties: {
      ...selectorSchema,
      literal_text: { type: 'string', description: 'Text to type as it is.' },
      keys: { type: 'array', items: { type: 'string' }, description: `Named keys: ${Object.keys(keyBytes).join(' ')}, C-a to C-z.` },
      enter: { type: 'boolean', description: 'Press Enter at the end.' },
      delay: {
        anyOf: [{ type: 'number' }, { type: 'string' }],
        description: 'Type after so many seconds, or after a time such as "500ms"; at most 60 s.',
      },
      ...claimSchema,
    },
    required: [...claimNames],
  },
  needsTmux: true,
  usesTerminal: true,
  parallel: false,
  parse(args) {
    const given = asObject(args);
    const keys = given['keys'] ?? [];
    if (!Array.isArray(keys)) throw fault('"keys" must be a list of key names');
    const unknown = keys.find((key) => typeof key !== 'string' || bytesOfKey(key) === null);
    if (unknown !== undefined) throw fault(`"${String(unknown)}" is no key name; use ${Object.keys(keyBytes).join(', ')} or C-a to C-z`);
    const typed = optionalText(given, 'literal_text') ?? optionalText(given, 'text') ?? '';
    const enter = flag(given, 'enter', false);
    if (typed === '' && keys.length === 0 && !enter) throw fault('give "literal_text", "keys" or "enter"');
    return { at: selector(given), text: typed, keys: keys as readonly string[], enter, delayMs: delayMs(given), claim: claim(given) };
  },
  preview: (args) => describe(args),
  review(args, context) {
    const { tmux } = context.target;
    const pane = tmux === null ? null : tmux.find(args.at ?? {});
    const judged = judgedAs(args, pane, context);
    const refused = refusal(args, pane, context.denylist, judged);
    if (refused !== null) return { kind: 'deny', reason: refused };
    const other = pane === null || pane.isDefault ? null : pane;
    return {
      kind: 'ask',
      title: `type into ${paneWords(other)}${isAtPrompt(pane) ? ', at the shell prompt' : ''}`,
      body: standing(pane) + describe(args),
      like: `send-keys ${JSON.stringify([other?.pane ?? null, args.text, args.keys, args.enter, isAtPrompt(pane)])}`,
      pane: other?.pane,
      claim: args.claim,
      ...(judged === null
        ? {}
        : { computed: computedFrom(judged), alike: likenessOf(judged.commands), caution: judged.caution, narrows: judged.narrows }),
    };
  },
  commands(args, { target, judge }) {
    const line = enters(args) ? lineOf(args, target.tmux?.find(args.at ?? {}) ?? null) : '';
    return line.trim() === '' ? { commands: [], reasons: [] } : judge(line);
  },
  async run(args, context) {
    const { tmux } = context.target;
    if (tmux === null) throw fault('this target has no tmux');
    if (args.delayMs > 0) await delay(context.clock, args.delayMs, context.signal);
    const pane = tmux.find(args.at ?? {});
    // A program may have ended since it was asked about: what was meant for it would be a command now.
    const judged = judgedAs(args, pane, context);
    const refused = refusal(args, pane, context.denylist, judged);
    if (refused !== null) throw fault(`${refused}; nothing was typed`);
    if (judged !== null && strictness[judged.caution] > strictness[context.caution])
      throw fault(
        `it would be a command by now, and has to be asked about: ${judged.reasons.join('; ')}. Nothing was typed; make the call again`,
      );
    const bytes = args.text + args.keys.map((key) => bytesOfKey(key) ?? '').join('') + (args.enter ? '\r' : '');
    await tmux.type(selected(tmux, args.at)?.pane, bytes, context.signal);
    return { result: { typed: describe(args) }, isError: false, text: describe(args), summary: 'typed', exitCode: null };
  },
};

/** A yes that was enough for the left one is not for those to the right. */
const strictness: Readonly<Record<Caution, number>> = { policy: 0, rule: 1, user: 2 };

/** What would be run, with what stands at the prompt already. */
function lineOf(args: SendKeysArguments, pane: PaneInfo | null): string {
  return isAtPrompt(pane) ? `${pane?.halfTyped ?? ''}${args.text}` : args.text;
}

/** The judgement of the line that a shell would run; null: none would. */
function judgedAs(args: SendKeysArguments, pane: PaneInfo | null, { judge }: Pick<ReviewContext, 'judge'>): Judgement | null {
  const line = lineOf(args, pane);
  return isAtPrompt(pane) && enters(args) && line.trim() !== '' ? judge(line) : null;
}

/** Why this may not be typed there, or null. */
function refusal(args: SendKeysArguments, pane: PaneInfo | null, denylist: readonly string[], judged: Judgement | null): string | null {
  const hidden = args.text === '' ? null : hiddenIn(args.text);
  if (hidden !== null) return `the text is refused because ${hidden}; send keys by their names`;
  const line = lineOf(args, pane);
  const asText = judged !== null || line.trim() === '' ? null : refusalOf(line, denylist);
  const denied = judged === null ? asText : refusalIn(judged);
  if (denied !== null) return denied;
  if (!isAtPrompt(pane)) return null;
  // A tab in the text is the key to a shell: it would complete the line.
  const keys = args.text.includes('\t') ? ['Tab', ...args.keys] : args.keys;
  const unseen = enters(args) ? keys.find((key) => !SEEN_KEYS.includes(key)) : undefined;
  if (unseen !== undefined)
    return `at a shell prompt "${unseen}" with Enter would run a line that nobody has seen; type the line as text, or use run_shell`;
  return enters(args) ? sharedShellRefusal(line) : null;
}

/** What these keys do to a line at a prompt is known. */
const SEEN_KEYS: readonly string[] = ['Enter', 'C-m', 'C-j', 'C-c', 'Space'];

/** The line that is typed would be run. */
function enters(args: SendKeysArguments): boolean {
  return (
    args.enter || /[\r\n]/.test(args.text) || args.keys.some((key) => key === 'Enter' || key === 'C-m' || key === 'C-j' || key === 'C-o')
  );
}

function isAtPrompt(pane: PaneInfo | null): boolean {
  return pane !== null && (pane.state.kind === 'idle' || pane.state.kind === 'continuation');
}

/** What stands at the prompt already is run as well. */
function standing(pane: PaneInfo | null): string {
  return pane === null || pane.halfTyped === '' ? '' : `(after what stands at the prompt: ${pane.halfTyped}) `;
}

/** The text, then each key in angle brackets; text that could be taken for a key stands in quotes. */
function describe(args: SendKeysArguments): string {
  const keys = [...args.keys, ...(args.enter ? ['Enter'] : [])].map((key) => `<${key}>`).join(' ');
  const text = args.text.includes('<') ? JSON.stringify(args.text) : args.text;
  return [text, keys].filter((part) => part !== '').join(' ');
}
