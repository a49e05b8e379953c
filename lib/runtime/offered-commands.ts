/** The door for commands that are not built in, and what runs them: each gives a prompt, or does something and says a sentence. */

import { asBuddyError, isAbort } from '../base/errors.js';
import type { LiveList } from '../base/live-list.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { OfferedCommand } from '../protocol/offered.js';

/** What came of a command. */
export type Invoked =
  /** This is said to the model, in the person's name. */
  | {
      readonly kind: 'prompt';
      readonly text: string;
      /** Whose words it is made of, when a stranger wrote them; left out: the person, or files of theirs. */
      readonly from?: string;
    }
  /** It is done; `says` is told to the person, '' when there is nothing to tell. */
  | { readonly kind: 'done'; readonly says: string };

/** All that are offered. */
export interface OfferedCommands extends LiveList<OfferedCommand> {
  /** Rejects with a BuddyError whose sentence is told, or an AbortError. `args` is what stands behind the name, without blanks around it. */
  invoke(name: string, args: string, signal: AbortSignal): Promise<Invoked>;
}

type Invocation = Pick<Extract<RuntimeCommand, { type: 'command.invoke' }>, 'name' | 'args' | 'mentions'>;

/** What running one needs of the runtime. */
export interface InvocationContext {
  emit(event: RuntimeEvent): void;
  /** `mentions`: what the person wrote themselves. */
  prompt(text: string, mentions: string, from?: string): void;
}

/** Those of one runtime. */
export class Invocations {
  readonly #offered: OfferedCommands | undefined;
  readonly #context: InvocationContext;

  constructor(offered: OfferedCommands | undefined, context: InvocationContext) {
    this.#offered = offered;
    this.#context = context;
  }

  /** Tells which there are, now when there are any and with each change. The answer ends that. */
  announce(): { dispose(): void } {
    const offered = this.#offered;
    if (offered === undefined) return { dispose: () => undefined };
    const tell = () => this.#context.emit({ type: 'commands.offered', commands: offered.list() });
    if (offered.list().length > 0) tell();
    return offered.onChange(tell);
  }

  /** Starts it. Why it is refused, or null. */
  start({ name, args, mentions = args }: Invocation, signal: AbortSignal): string | null {
    const offered = this.#offered;
    if (offered === undefined || !offered.list().some((known) => known.name === name)) return `there is no command /${name}`;
    offered.invoke(name, args, signal).then(
      (invoked) => {
        if (signal.aborted) return;
        if (invoked.kind === 'prompt') this.#context.prompt(invoked.text, mentions, invoked.from);
        else if (invoked.says !== '') this.#context.emit({ type: 'notice', message: invoked.says });
      },
      (thrown: unknown) => {
        if (isAbort(thrown)) return;
        const { message, hint } = asBuddyError(thrown, 'command.failed');
        this.#context.emit({ type: 'warning', message: `/${name}: ${message}${hint === undefined ? '' : `. ${hint}`}` });
      },
    );
    return null;
  }
}
