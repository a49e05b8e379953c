/** `@pane` and `@last`: what the shared terminal shows, and what the last command printed. */

import { visible } from '../../base/visible.js';
import type { RuntimeEvent } from '../../protocol/events.js';
import type { ExecutionTarget } from '../../targets/target.js';
import { cut } from '../recap.js';
import type { Found, MentionLook, MentionSource } from './mention-source.js';

/** The screen of the shared pane as it is now. `isTaken`: the person has its keyboard, and what they type is nobody else's. */
export function paneSource(target: Pick<ExecutionTarget, 'tmux'>, isTaken: () => boolean): MentionSource {
  return {
    fits: (word) => word === 'pane',
    async find(_word, { mostBytes }, signal) {
      if (target.tmux === null) return { refused: 'there is no shared pane without tmux' };
      if (isTaken()) return { refused: 'you have the keyboard of the pane; hand it back first' };
      const text = visible((await target.tmux.capture({}, signal)).trimEnd());
      return { kind: 'screen', name: 'pane', about: { of: 'the shared pane, now' }, ...shortened(text, mostBytes) };
    },
  };
}

/** A command that has ended. */
interface Ended {
  readonly command: string;
  readonly output: string;
  readonly how: string;
}

/** Tools whose results are what a command printed. */
const RUNNERS: ReadonlySet<string> = new Set(['run_shell', '!']);

/** Remembers the command of this conversation that ended last, the model's or the person's own (`!`). Told of every event. */
export class LastOutput implements MentionSource {
  readonly #running = new Map<string, string>();
  #last: Ended | null = null;

  hear(event: RuntimeEvent): void {
    switch (event.type) {
      case 'session.started':
        this.#running.clear();
        this.#last = null;
        return;
      case 'session.resumed':
      case 'session.branched':
        for (const past of event.past) this.hear(past.event);
        return;
      case 'tool.requested':
        if (RUNNERS.has(event.name)) this.#running.set(event.call, event.preview);
        return;
      case 'tool.changed':
        if (this.#running.has(event.call)) this.#running.set(event.call, event.preview);
        return;
      case 'tool.ended':
        this.#ended(event);
        return;
      default:
        return;
    }
  }

  fits(word: string): boolean {
    return word === 'last';
  }

  find(_word: string, { mostBytes }: MentionLook): Promise<Found> {
    const last = this.#last;
    if (last === null) return Promise.resolve({ refused: 'no command has ended in this conversation' });
    const about = { command: cut(last.command, 400), ended: last.how };
    return Promise.resolve({ kind: 'output', name: 'last', about, ...shortened(visible(last.output), mostBytes) });
  }

  #ended({ call, exitCode, summary, text }: Extract<RuntimeEvent, { type: 'tool.ended' }>): void {
    const command = this.#running.get(call);
    this.#running.delete(call);
    if (command !== undefined) this.#last = { command, output: text, how: exitCode === null ? summary : `exit ${exitCode}` };
  }
}

/** The end of a long text: what was printed last says most. */
function shortened(text: string, most: number): { readonly text: string; readonly note?: string } {
  if (text.length <= most) return { text };
  return { text: text.slice(-most).toWellFormed(), note: `its last ${most} characters of ${text.length}` };
}
