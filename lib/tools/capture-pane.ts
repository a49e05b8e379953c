/** capture-pane: what is on a managed terminal, now or after a while. */

import { delay } from '../base/clock.js';
import { BuddyError } from '../base/errors.js';
import type { PaneLine, PaneSelector } from '../targets/target.js';
import { asObject, count, fault, flag, text } from './arguments.js';
import { delayMs } from './delay.js';
import { selected, selector, selectorSchema, selectorWords } from './pane-selector.js';
import type { Tool } from './tool.js';

interface CapturePaneArguments {
  readonly at: PaneSelector | null;
  readonly start: PaneLine | undefined;
  readonly end: PaneLine | undefined;
  readonly joinWrapped: boolean;
  readonly keepTrailingSpaces: boolean;
  readonly escapes: boolean;
  readonly octal: boolean;
  readonly alternate: boolean;
  readonly delayMs: number;
}

/** Characters kept, from the end: what is newest is what matters (seed limit). */
const KEPT_CHARACTERS = 8000;
const MOST_LINES = 50_000;

export const capturePane: Tool<CapturePaneArguments> = {
  name: 'capture-pane',
  aliases: ['tmux_capture_pane', 'capture_pane'],
  description:
    'Shows the text of the shared terminal, or of another managed pane, as the user sees it; with scrollback when asked. ' +
    'With a delay it looks later: for a program that needs a moment.',
  parameters: {
    type: 'object',
    properties: {
      ...selectorSchema,
      lines: { type: 'integer', description: 'Lines of scrollback to add before the screen, 0 to 5000.' },
      start: {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        description: 'First line: 0 is the top of the screen, negative is scrollback, "-" its beginning.',
      },
      end: {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        description: 'Last line, counted the same way; "-" is the end of the screen.',
      },
      join_wrapped_lines: { type: 'boolean', description: 'Wrapped rows as one line; true when left out.' },
      preserve_trailing_spaces: { type: 'boolean', description: 'Keep blanks at line ends.' },
      include_escape_sequences: { type: 'boolean', description: 'Keep colours as escape sequences.' },
      escape_non_printable: { type: 'boolean', description: 'Show non-printable characters as octal.' },
      include_alternate_screen: { type: 'boolean', description: 'The other screen, while a full-screen program is running.' },
      delay: {
        anyOf: [{ type: 'number' }, { type: 'string' }],
        description: 'Look after so many seconds, or after a time such as "500ms"; at most 60 s.',
      },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['why'],
  },
  needsTmux: true,
  usesTerminal: true,
  parallel: true,
  pane: ({ at }, { tmux }) => tmux?.find(at ?? {}).pane ?? null,
  parse(args) {
    const given = asObject(args);
    text(given, 'why');
    const lines = count(given, 'lines', 0, 5000, 0);
    return {
      at: selector(given),
      start: lineOf(given, 'start') ?? (lines > 0 ? -lines : undefined),
      end: lineOf(given, 'end'),
      joinWrapped: flag(given, 'join_wrapped_lines', true),
      keepTrailingSpaces: flag(given, 'preserve_trailing_spaces', false),
      escapes: flag(given, 'include_escape_sequences', false),
      octal: flag(given, 'escape_non_printable', false),
      alternate: flag(given, 'include_alternate_screen', false),
      delayMs: delayMs(given),
    };
  },
  preview: (args) => selectorWords(args.at),
  review: () => ({ kind: 'allow' }),
  async run(args, context) {
    const { tmux } = context.target;
    if (tmux === null) throw fault('this target has no tmux');
    if (args.delayMs > 0) await delay(context.clock, args.delayMs, context.signal);
    const { at, delayMs: _delayMs, ...options } = args;
    const pane = selected(tmux, at)?.pane;
    let isFallback = false;
    const whole = await tmux.capture({ ...options, pane }, context.signal).catch((thrown: unknown) => {
      if (!(thrown instanceof BuddyError) || thrown.code !== 'target.no-alternate') throw thrown;
      isFallback = true;
      return tmux.capture({ ...options, alternate: false, pane }, context.signal);
    });
    const screen = args.keepTrailingSpaces ? whole : whole.replace(/\s+$/, '');
    const cut = screen.length > KEPT_CHARACTERS;
    const kept = cut ? screen.slice(-KEPT_CHARACTERS).replace(/^[\udc00-\udfff]/, '') : screen;
    const panes = tmux.panes().map(({ session, pane: id, title, state }) => ({ session, pane: id, title, state: state.kind }));
    const notes = [
      cut ? `The first ${screen.length - kept.length} characters are left out.` : '',
      isFallback ? 'There is no alternate screen; this is the normal one.' : '',
    ].filter((note) => note !== '');
    return {
      result: { screen: kept, panes, ...(cut ? { truncated: true } : {}), ...(notes.length > 0 ? { note: notes.join(' ') } : {}) },
      isError: false,
      text: kept,
      summary: `${kept.split('\n').length} lines`,
      exitCode: null,
    };
  },
};

function lineOf(args: Readonly<Record<string, unknown>>, name: string): PaneLine | undefined {
  if (args[name] === '-') return '-';
  return args[name] === undefined || args[name] === null ? undefined : count(args, name, -MOST_LINES, MOST_LINES, 0);
}
