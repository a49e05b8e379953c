/** Files, folders and pictures of the target, by their path. */

import { posix } from 'node:path';
import { formatBytes } from '../../base/duration.js';
import { asBuddyError, isAbort } from '../../base/errors.js';
import { imageHeader } from '../../base/image-header.js';
import { wholeCharacters } from '../../base/whole-characters.js';
import { readRefusal } from '../../policy/read-path.js';
import type { Judgement } from '../../policy/shell/judgement.js';
import { imageBytes } from '../../protocol/messages.js';
import type { ExecutionTarget } from '../../targets/target.js';
import type { PictureFitter } from '../pictures.js';
import type { Found, MentionLook, MentionSource } from './mention-source.js';

/** A larger picture is not even read (bytes). */
const LARGEST_PICTURE = 50 * 1000 * 1000;
/** Bytes that are asked for at a time: each is a round trip where the target is far. */
const PIECE = 8 * 1024 * 1024;
/** Enough of a file to see what it is: a JPEG tells its size behind its notes. */
const BEGINNING = 64 * 1024;

/** What it looks with. */
export interface FileSourceOptions {
  readonly target: ExecutionTarget;
  readonly pictures: PictureFitter;
  /** Judges a command as if the policy allowed everything (`ToolContext.judge`). */
  judge(command: string): Promise<Judgement>;
  /** What stands in a folder, as the model is told by its own tool; null: there is none. */
  listing(path: string, signal: AbortSignal): Promise<string | null>;
}

/** Every word is a path that nothing else is. */
export class FileSource implements MentionSource {
  readonly #options: FileSourceOptions;

  constructor(options: FileSourceOptions) {
    this.#options = options;
  }

  fits(): boolean {
    return true;
  }

  async find(word: string, look: MentionLook, signal: AbortSignal): Promise<Found> {
    const { target } = this.#options;
    if (word.includes('\0')) return null;
    const path = absolute(word, target);
    const lands = await landing(target, path, signal);
    const paths = [...new Set([path, lands])];
    // To open such a thing may do something already.
    const closed = paths.map(readRefusal).find((reason) => reason !== null);
    if (closed != null) return { refused: closed };
    const refusal = await this.#doubt(paths);
    try {
      const limit = look.whole ? Math.max(BEGINNING, look.mostBytes) : BEGINNING;
      // What is not there is no mention: that comes before why it would not be read. Nothing of it is looked at.
      const { bytes, size, real = lands } = await target.readFile(path, { offset: 0, limit: refusal === null ? limit : 1 }, signal);
      // A link may have been turned since.
      const late = refusal ?? (real === lands ? null : (readRefusal(real) ?? (await this.#doubt([real]))));
      if (late !== null) return { refused: late };
      const file: Beginning = { word, path, real, bytes, size };
      if (imageHeader(bytes) !== null) return await this.#picture(file, look, signal);
      return bytes.subarray(0, 8000).includes(0) ? { refused: `it is a binary file of ${formatBytes(size)}` } : textOf(file, look);
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      return refusal !== null && !/no such file/.test(wordsOf(thrown))
        ? { refused: refusal }
        : await this.#instead(word, path, thrown, signal);
    }
  }

  /** Why one of these paths is not read without asking, or null. What a command must be asked about is not brought along by a word either. */
  async #doubt(paths: readonly string[]): Promise<string | null> {
    for (const path of paths) {
      const { caution, reasons } = await this.#options.judge(`cat -- '${path.replaceAll("'", "'\\''")}'`);
      if (caution === 'user') return `${reasons[0] ?? 'it is asked about'}; the model can ask to read it`;
    }
    return null;
  }

  /** What is there when it is no file. */
  async #instead(word: string, path: string, thrown: unknown, signal: AbortSignal): Promise<Found> {
    const words = wordsOf(thrown);
    if (words === 'no such file or folder') return null;
    if (words !== 'it is a folder') return { refused: words };
    const text = await this.#options.listing(path, signal);
    return text === null ? { refused: words } : { kind: 'folder', name: word, about: { path }, text };
  }

  async #picture(file: Beginning, { whole }: MentionLook, signal: AbortSignal): Promise<Found> {
    const { word, path, bytes, size } = file;
    if (size > LARGEST_PICTURE) return { refused: `it is a picture of ${formatBytes(size)}; the most is ${formatBytes(LARGEST_PICTURE)}` };
    if (!whole) return { kind: 'image', name: word, about: { path }, text: '', bytes: size, image: unread(bytes, word) };
    const all = await this.#rest(file, signal);
    if (all === null) return { refused: 'it leads to another file by now' };
    const { image, note } = await this.#options.pictures.fit(all, word, signal);
    return {
      kind: 'image',
      name: word,
      about: { path },
      text: '',
      bytes: imageBytes(image),
      image,
      ...(note === undefined ? {} : { note }),
    };
  }

  /** All of it; null when a link has been turned meanwhile: the other file was not judged. */
  async #rest({ path, real, bytes: beginning, size }: Beginning, signal: AbortSignal): Promise<Uint8Array | null> {
    const pieces = [beginning];
    for (let offset = beginning.length; offset < size; ) {
      const { bytes, real: now = real } = await this.#options.target.readFile(
        path,
        { offset, limit: Math.min(PIECE, size - offset) },
        signal,
      );
      if (now !== real) return null;
      if (bytes.length === 0) break;
      pieces.push(bytes);
      offset += bytes.length;
    }
    return pieces.length === 1 ? beginning : Buffer.concat(pieces);
  }
}

/** A file as far as it was read. */
interface Beginning {
  readonly word: string;
  readonly path: string;
  /** Where the file that was opened really is. */
  readonly real: string;
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** Its text, as far as there is room for it. */
function textOf({ word, path, bytes, size }: Beginning, { mostBytes, whole }: MentionLook): Found {
  const room = Math.min(bytes.length, mostBytes);
  const kept = wholeCharacters(bytes.subarray(0, room));
  const isCut = Math.min(size, mostBytes) < size;
  const note = isCut ? { note: `the first ${formatBytes(whole ? kept.length : mostBytes)} of ${formatBytes(size)}` } : {};
  const text = Buffer.from(kept).toString('utf8');
  return { kind: 'file', name: word, about: { path }, text, bytes: whole ? kept.length : Math.min(size, mostBytes), ...note };
}

/** A picture of which only the header was looked at. */
function unread(bytes: Uint8Array, name: string) {
  const header = imageHeader(bytes);
  return { mediaType: header?.mediaType ?? 'image/png', data: '', name, ...header?.size };
}

/** Links followed; whoever opens it will say what is wrong with it. */
async function landing(target: ExecutionTarget, path: string, signal: AbortSignal): Promise<string> {
  try {
    return await target.realPath(path, signal);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return path;
  }
}

function absolute(word: string, { summary, homeDir }: ExecutionTarget): string {
  return word === '~' || word.startsWith('~/') ? posix.normalize(`${homeDir}${word.slice(1)}`) : posix.resolve(summary.cwd, word);
}

/** What every place says behind the path. */
function wordsOf(thrown: unknown): string {
  const { message } = asBuddyError(thrown, 'target.file');
  return /^cannot read .*: ([^:]+)$/s.exec(message)?.[1] ?? message;
}
