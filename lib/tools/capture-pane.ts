/** capture-pane: what is on the shared terminal now. */

import { asObject, count, fault, flag, optionalText, text } from './arguments.js';
import type { Tool } from './tool.js';

interface CapturePaneArguments {
  readonly pane: string | null;
  readonly lines: number;
  readonly escapes: boolean;
}

/** Characters kept, from the end: what is newest is what matters (seed limit). */
const KEPT_CHARACTERS = 8000;

export const capturePane: Tool<CapturePaneArguments> = {
  name: 'capture-pane',
  aliases: ['tmux_capture_pane', 'capture_pane'],
  description: 'Shows the text of the shared terminal as the user sees it, with lines of scrollback before it when asked.',
  parameters: {
    type: 'object',
    properties: {
      pane: { type: 'string', description: 'Pane id such as %1; the shared pane when left out.' },
      lines: { type: 'integer', description: 'Lines of scrollback to add, 0 to 5000.' },
      include_escape_sequences: { type: 'boolean', description: 'Keep colours as escape sequences.' },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['why'],
  },
  needsTmux: true,
  usesTerminal: true,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    text(given, 'why');
    return {
      pane: optionalText(given, 'pane'),
      lines: count(given, 'lines', 0, 5000, 0),
      escapes: flag(given, 'include_escape_sequences', false),
    };
  },
  preview: (args) => args.pane ?? 'shared pane',
  review: () => ({ kind: 'allow' }),
  async run(args, context) {
    const tmux = context.target.tmux;
    if (tmux === null) throw fault('this target has no tmux');
    const whole = await tmux.capture(
      { lines: args.lines, escapes: args.escapes, ...(args.pane === null ? {} : { pane: args.pane }) },
      context.signal,
    );
    const screen = whole.replace(/\s+$/, '');
    const cut = screen.length > KEPT_CHARACTERS;
    const kept = cut ? screen.slice(-KEPT_CHARACTERS) : screen;
    const states = tmux.panes().map((pane) => ({ pane: pane.pane, title: pane.title, state: pane.state.kind }));
    return {
      result: {
        screen: kept,
        panes: states,
        ...(cut ? { truncated: true, note: `The first ${screen.length - kept.length} characters are left out.` } : {}),
      },
      isError: false,
      text: kept,
      summary: `${kept.split('\n').length} lines`,
      exitCode: null,
    };
  },
};
