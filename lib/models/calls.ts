/** Tool calls put together from the pieces of a stream. */

import type { ToolCall } from '../protocol/messages.js';

/** A call that still grows. */
export interface GrowingCall {
  id: string;
  name: string;
  argsText: string;
  /** Fields beside id, name and arguments (signatures), for the way back. */
  extras: Record<string, unknown>;
}

/** One piece of a call, as far as it says something. */
export interface CallPiece {
  /** Its place in the answer; null when the server gives none. */
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  /** A string is appended; an object is the whole of the arguments. */
  readonly args: unknown;
  readonly extras: Readonly<Record<string, unknown>>;
}

/**
 * Assembles calls by index and id, whatever of the two a server sends: pieces without both belong to the last call, an
 * index used again under another id and name is another call, a name without index and id begins one.
 */
export class CallAssembly {
  readonly #calls: GrowingCall[] = [];
  readonly #byIndex = new Map<number, GrowingCall>();

  add(piece: CallPiece): void {
    const call = this.#find(piece) ?? this.#begin(piece);
    if (call.id === '') call.id = piece.id;
    if (call.name === '') call.name = piece.name;
    if (typeof piece.args === 'string') call.argsText += piece.args;
    else if (piece.args !== undefined && piece.args !== null) call.argsText = JSON.stringify(piece.args);
    Object.assign(call.extras, piece.extras);
  }

  get size(): number {
    return this.#calls.length;
  }

  /** The calls in the order they began, with ids unique among themselves and `used`; and their extras by id. */
  finish(used: ReadonlySet<string>): {
    readonly calls: readonly ToolCall[];
    readonly extras: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  } {
    const taken = new Set(used);
    const extras: Record<string, Readonly<Record<string, unknown>>> = {};
    const calls = this.#calls
      .filter((call) => call.name !== '')
      .map(({ id, name, argsText, extras: own }) => {
        const unique = uniqueId(id, taken);
        if (Object.keys(own).length > 0) extras[unique] = own;
        return { id: unique, name, argsText: argsText === '' ? '{}' : argsText };
      });
    return { calls, extras };
  }

  #find({ index, id, name }: CallPiece): GrowingCall | undefined {
    if (index !== null) {
      const call = this.#byIndex.get(index);
      const another = call !== undefined && id !== '' && call.id !== '' && id !== call.id && name !== '' && call.argsText !== '';
      return another ? undefined : call;
    }
    if (id !== '') return this.#calls.findLast((call) => call.id === id);
    return name === '' ? this.#calls.at(-1) : undefined;
  }

  #begin({ index, id, name }: CallPiece): GrowingCall {
    const call: GrowingCall = { id, name, argsText: '', extras: {} };
    this.#calls.push(call);
    if (index !== null) this.#byIndex.set(index, call);
    return call;
  }
}

/** `id` if it is free, else one that is; it is added to `taken`. */
export function uniqueId(id: string, taken: Set<string>): string {
  const base = id === '' ? 'call' : id;
  let unique = id;
  for (let n = id === '' ? 1 : 2; unique === '' || taken.has(unique); n++) unique = `${base}_${n}`;
  taken.add(unique);
  return unique;
}
