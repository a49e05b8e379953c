/** The commands that ended last in the terminals, and how: gathered from what is told, for the model to look at. */

import type { RuntimeEvent } from '../protocol/events.js';
import type { PaneCommand } from '../protocol/panes.js';
import { cut } from './recap.js';

/** So many of the newest are kept, and of each so many characters. */
const KEPT = { commands: 8, characters: 160 } as const;

/** Commands of the agent, of its background jobs, and of a person at the pane. What a person ran with `!` is told elsewhere, or not at all. */
export class RecentCommands {
  #ended: readonly string[] = [];
  /** Calls that run, with what they run; jobs under their task's id. */
  readonly #running = new Map<string, string>();

  /** Oldest first: `you: make → exit 2`. */
  get lines(): readonly string[] {
    return this.#ended;
  }

  hear(event: RuntimeEvent): void {
    switch (event.type) {
      case 'tool.requested':
        if (event.name === 'run_shell') this.#running.set(event.call, event.preview);
        return;
      case 'tool.changed':
        if (this.#running.has(event.call)) this.#running.set(event.call, event.preview);
        return;
      case 'tool.ended':
        this.#end(event.call, 'you', event.exitCode === null ? event.summary : `exit ${event.exitCode}`);
        return;
      case 'task.started':
        if (event.kind === 'job') this.#running.set(jobKey(event.task), event.text);
        return;
      case 'task.ended':
        this.#end(jobKey(event.task), `background task ${event.task}`, event.exitCode === null ? event.outcome : `exit ${event.exitCode}`);
        return;
      case 'pane.command':
        this.#addTyped(event);
        return;
      case 'pane.returned':
        for (const command of event.commands) this.#addTyped(command);
        return;
      case 'session.started':
      case 'session.resumed':
      case 'session.branched':
        this.#ended = [];
        return;
      default:
        return;
    }
  }

  #end(key: string, by: string, how: string): void {
    const text = this.#running.get(key);
    if (text === undefined) return;
    this.#running.delete(key);
    this.#add(by, text, how);
  }

  #addTyped({ text, exitCode }: PaneCommand): void {
    this.#add('the user', text, exitCode === null ? 'exit code unknown' : `exit ${exitCode}`);
  }

  #add(by: string, text: string, how: string): void {
    const line = `${by}: ${cut(text.replace(/\s*\n\s*/g, ' \\n '), KEPT.characters)} → ${how}`;
    this.#ended = [...this.#ended, line].slice(-KEPT.commands);
  }
}

function jobKey(task: string): string {
  return `task ${task}`;
}
