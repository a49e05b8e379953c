/** send-keys: types into the shared terminal, for programs that ask. */

import { hiddenIn } from '../base/visible.js';
import { refusalOf } from '../policy/shell-command.js';
import type { ModelClaim } from '../protocol/approvals.js';
import { asObject, claim, claimNames, claimSchema, fault, flag, optionalText } from './arguments.js';
import type { Tool } from './tool.js';

interface SendKeysArguments {
  readonly pane: string | null;
  readonly text: string;
  readonly keys: readonly string[];
  readonly enter: boolean;
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
    'Types into the shared terminal: text as it is, then named keys in order, then Enter when asked. For programs that wait for input.',
  parameters: {
    type: 'object',
    properties: {
      pane: { type: 'string', description: 'Pane id such as %1; the shared pane when left out.' },
      literal_text: { type: 'string', description: 'Text to type as it is.' },
      keys: { type: 'array', items: { type: 'string' }, description: `Named keys: ${Object.keys(keyBytes).join(' ')}, C-a to C-z.` },
      enter: { type: 'boolean', description: 'Press Enter at the end.' },
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
    return { pane: optionalText(given, 'pane'), text: typed, keys: keys as readonly string[], enter, claim: claim(given) };
  },
  preview: (args) => describe(args),
  review(args, context) {
    if (args.text !== '') {
      const hidden = hiddenIn(args.text);
      if (hidden !== null) return { kind: 'deny', reason: `the text is refused because ${hidden}; send keys by their names` };
      const refusal = args.text.trim() === '' ? null : refusalOf(args.text, context.denylist);
      if (refusal !== null) return { kind: 'deny', reason: refusal };
    }
    return {
      kind: 'ask',
      title: `type into ${args.pane ?? 'the shared pane'}`,
      body: describe(args),
      like: `send-keys ${JSON.stringify([args.pane, args.text, args.keys, args.enter])}`,
      claim: args.claim,
    };
  },
  async run(args, context) {
    const tmux = context.target.tmux;
    if (tmux === null) throw fault('this target has no tmux');
    const bytes = args.text + args.keys.map((key) => bytesOfKey(key) ?? '').join('') + (args.enter ? '\r' : '');
    await tmux.type(args.pane ?? undefined, bytes, context.signal);
    return { result: { typed: describe(args) }, isError: false, text: describe(args), summary: 'typed', exitCode: null };
  },
};

/** The text, then each key in angle brackets; text that could be taken for a key stands in quotes. */
function describe(args: SendKeysArguments): string {
  const keys = [...args.keys, ...(args.enter ? ['Enter'] : [])].map((key) => `<${key}>`).join(' ');
  const text = args.text.includes('<') ? JSON.stringify(args.text) : args.text;
  return [text, keys].filter((part) => part !== '').join(' ');
}
