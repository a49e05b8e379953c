/**
 * What of strangers' words a conversation holds. It stays as long as the conversation: the words are in it, and in a summary of it, whatever
 * the next prompt is about. A new session, or trusting the folder, ends it.
 */

import { type CommandsIn, readsFolder, runsPrograms, tellsUnrun, webReadBy } from '../policy/exposure.js';
import type { PastEvent, RuntimeEvent } from '../protocol/events.js';
import type { Attachment } from '../protocol/messages.js';

/** Owns the knowledge of it; told of every event. */
export class Exposure {
  readonly #isUntrusted: () => boolean;
  readonly #instructed: () => string | null;
  /** Calls that have begun, by what their results will hold. */
  readonly #begun = new Map<string, Held>();
  #web: readonly string[] = [];
  /** What ran before anybody could tell what it was. */
  #unread: readonly Held[] = [];
  #commandsIn: CommandsIn | null = null;
  #folder = false;

  /** `isUntrusted`: is the working folder one that the person has not said to trust? `instructed`: what strangers say in the system prompt. */
  constructor(isUntrusted: () => boolean, instructed: () => string | null = () => null) {
    this.#isUntrusted = isUntrusted;
    this.#instructed = instructed;
  }

  /** What was read, as the object of "has read": the newest of it. Null: nothing of a stranger. */
  get read(): string | null {
    const newest = this.#web.at(-1);
    // Nobody has taken these apart: what they read is not known, and the stricter counts.
    if (newest === undefined && this.#unread.length > 0) return 'what a command brought';
    if (newest === undefined) {
      return this.#instructed() ?? (this.#folder && this.#isUntrusted() ? 'files of a folder that you have not trusted' : null);
    }
    const others = this.#web.length - 1;
    return others === 0 ? newest : `${newest} and ${others} more`;
  }

  /** Who takes commands apart is loaded with the first call; from then on it is known what they read. To be called before anything is asked. */
  readsBy(commandsIn: CommandsIn): void {
    if (this.#commandsIn !== null) return;
    this.#commandsIn = commandsIn;
    const unread = this.#unread;
    this.#unread = [];
    for (const held of unread) this.#take(held);
  }

  hear(event: RuntimeEvent): void {
    if (event.type === 'session.started') this.#forget();
    else if (event.type === 'session.resumed') this.#resumed(event.past);
    else if (event.type === 'session.branched') this.#branched(event.past);
    else if (event.type === 'task.attached') this.#brought(event.attached);
    else if (event.type === 'tool.requested' && event.untold !== true) this.#begun.set(event.call, heldBy(event));
    else if (event.type === 'tool.changed') this.#changed(event.call, event.preview);
    else if (event.type === 'tool.started') this.#isRunning(event.call);
    else if (event.type === 'tool.ended') this.#ended(event.call);
  }

  #forget(): void {
    this.#begun.clear();
    this.#web = [];
    this.#unread = [];
    this.#folder = false;
  }

  /** Without a past it is the same conversation under another name. Of an earlier run it is not known which calls ran: they may have. */
  #resumed(past: readonly PastEvent[]): void {
    if (past.length > 0) this.#branched(past);
  }

  /** The conversation holds what leads to where it goes on, and nothing else. */
  #branched(past: readonly PastEvent[]): void {
    this.#forget();
    for (const { event } of past) {
      if (event.type === 'tool.requested') this.#take(heldBy(event));
      if (event.type === 'task.attached') this.#brought(event.attached);
    }
  }

  /** The person named it, but did not write it: a file of the folder and what a pane shows can be anybody's, a resource is its server's. */
  #brought(attached: readonly Attachment[]): void {
    for (const { kind, name } of attached) {
      if (kind === 'resource') this.#web = [...this.#web.filter((known) => known !== name), name];
      else if (this.#isUntrusted()) this.#folder = true;
    }
  }

  #changed(call: string, preview: string): void {
    const held = this.#begun.get(call);
    if (held !== undefined) this.#begun.set(call, { ...heldBy({ name: held.tool, preview }), ran: held.ran });
  }

  #isRunning(call: string): void {
    const held = this.#begun.get(call);
    if (held !== undefined) this.#begun.set(call, { ...held, ran: true });
  }

  /** A call that was refused has read nothing, unless its error tells of it. */
  #ended(call: string): void {
    const held = this.#begun.get(call);
    this.#begun.delete(call);
    if (held !== undefined && (held.ran || tellsUnrun(held.tool))) this.#take(held);
  }

  #take(held: Held): void {
    const { tool, preview } = held;
    if (readsFolder(tool) && this.#isUntrusted()) this.#folder = true;
    if (this.#commandsIn === null && runsPrograms(tool)) {
      this.#unread = [...this.#unread, held];
      return;
    }
    const web = webReadBy(tool, preview, this.#commandsIn ?? (() => []));
    if (web !== null) this.#web = [...this.#web.filter((known) => known !== web), web];
  }
}

interface Held {
  readonly tool: string;
  readonly preview: string;
  readonly ran: boolean;
}

function heldBy({ name, preview }: { readonly name: string; readonly preview: string }): Held {
  return { tool: name, preview, ran: false };
}
