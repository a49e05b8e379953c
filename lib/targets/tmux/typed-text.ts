/** What people type at a pane's prompt: told when it was a command, kept from the model when it was private. */

import type { PaneCommand } from '../../protocol/panes.js';
import type { EmulatorFactory } from '../terminal-emulator.js';
import { commandOf, type Echo, EchoReader, isPrivate, type TypedEcho, withoutPrivate } from './typed-commands.js';

/** Lines that begin with a blank are remembered so long, to be left out where the pane is read. */
const PRIVATE_KEPT = 100;

/** Reads echoes for one pane. Without emulators nobody looks, and nothing is told. */
export class TypedText {
  readonly #echoes: EchoReader | null;
  readonly #tell: (command: PaneCommand) => void;
  #private: readonly string[] = [];

  constructor(emulators: (() => Promise<EmulatorFactory>) | null, tell: (command: PaneCommand) => void) {
    this.#echoes = emulators === null ? null : new EchoReader(emulators);
    this.#tell = tell;
  }

  /** A line was entered, on a terminal of `cols` cells. */
  async entered(echo: Echo, cols: number): Promise<void> {
    const line = (await this.#echoes?.read(echo, cols)) ?? '';
    if (isPrivate(line)) this.#private = [...this.#private, line].slice(-PRIVATE_KEPT);
  }

  /** What was entered has ended. */
  async ran(echo: TypedEcho, cols: number): Promise<void> {
    const line = (await this.#echoes?.read(echo, cols)) ?? '';
    if (line !== '') this.#tell(commandOf(line, echo));
  }

  /** Some of what was typed is nobody's business. */
  get hasPrivate(): boolean {
    return this.#private.length > 0;
  }

  /** The text of the pane without the lines that are nobody's business. */
  publicText(screen: string): string {
    return withoutPrivate(screen, this.#private);
  }

  dispose(): void {
    this.#echoes?.dispose();
  }
}
