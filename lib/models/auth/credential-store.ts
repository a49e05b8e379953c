/**
 * auth.json: the one file that holds logins and keys. Only its owner may read it, it is replaced whole, and one process at a time changes it.
 * With `[auth] store = "keyring"` it only says that its content is in the keyring of the system.
 */

import { dirname } from 'node:path';
import { BuddyError, messageOf } from '../../base/errors.js';
import { withFileLock } from '../../base/file-lock.js';
import { fileConstants, fileTrouble, mkdir, moveFileSync, openFile, systemCode, writeAtomically } from '../../base/files.js';
import type { Host } from '../../base/host.js';
import { type KeyringEntry, keyringEntry } from '../../base/keyring.js';
import { asNumber, asObject, type JsonObject, parseJson } from '../json.js';
import { emptyStore, joined, STORE_VERSION, storePath } from './credentials.js';

/** Nobody's logins are larger. */
const LARGEST_BYTES = 1024 * 1024;
const OWNER_ONLY = 0o600;

/** The file while nobody else can change it. */
export interface OpenStore {
  readonly file: JsonObject;
  /** On the disk when it resolves. */
  save(file: JsonObject): Promise<void>;
}

/** Where the content is. */
export type KeptIn = 'file' | 'keyring';

/** How a store differs from the usual. */
export interface StoreOptions {
  /** Told, in sentences, what was repaired. */
  readonly notice?: (text: string) => void;
  /** Where the content goes with the next change; left out: it stays where it is. */
  readonly keep?: KeptIn;
  /** For tests. */
  readonly keyring?: KeyringEntry;
}

/** The content as it was found. */
interface Found {
  readonly file: JsonObject;
  readonly keptIn: KeptIn;
  /** There is more in a keyring that could not be read just now. */
  readonly isOutOfReach?: true;
}

/** In auth.json: its content was begun while a keyring with more could not be read, and is newer than what is there. */
const BESIDE = 'kept_beside';

/** What a change does with a file that cannot be understood: give up, or move it aside and begin anew. */
export type WhenBroken = 'fail' | 'set-aside';

/** The store of this user. Each call looks at the disk: other processes change it as well. */
export class CredentialStore {
  readonly path: string;
  readonly #host: Host;
  readonly #notice: (text: string) => void;
  readonly #keep: KeptIn | null;
  readonly #keyring: KeyringEntry;
  #keptIn: KeptIn = 'file';

  constructor(host: Host, { notice = () => undefined, keep, keyring }: StoreOptions = {}) {
    this.#host = host;
    this.#notice = notice;
    this.#keep = keep ?? null;
    this.path = storePath(host);
    this.#keyring = keyring ?? keyringEntry({ service: 'buddy-tui', account: this.path, clock: host.clock });
  }

  /** Where the content was found or put last. */
  get keptIn(): KeptIn {
    return this.#keptIn;
  }

  /** The same for people. */
  get place(): string {
    return this.#keptIn === 'keyring' ? 'the keyring of the system' : this.path;
  }

  /** What it holds; an empty one when there is no file. Throws `auth.store`, `auth.keyring`, an AbortError. */
  async read(signal: AbortSignal = new AbortController().signal): Promise<JsonObject> {
    const { file, keptIn } = await this.#find(signal);
    this.#keptIn = keptIn;
    return file;
  }

  /** Changes it. Throws `auth.store`, `auth.keyring`, `file.locked`. */
  update(change: (file: JsonObject) => JsonObject, whenBroken: WhenBroken, signal: AbortSignal): Promise<void> {
    return this.exclusively(({ file, save }) => save(change(file)), whenBroken, signal);
  }

  /** Runs `work` with the store as it is now, while no other process can change it. Throws `auth.store`, `auth.keyring`, `file.locked`. */
  async exclusively<T>(work: (open: OpenStore) => Promise<T>, whenBroken: WhenBroken, signal: AbortSignal): Promise<T> {
    const { pid, hostname, clock } = this.#host;
    const path = `${this.path}.lock`;
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await withFileLock({ path, pid, hostname, clock, notice: this.#notice }, signal, async () => {
        const found = await this.#findOrSetAside(whenBroken, signal);
        return work({ file: found.file, save: (changed) => this.#save(changed, found, signal) });
      });
    } catch (thrown) {
      throw systemCode(thrown) === null || thrown instanceof BuddyError ? thrown : this.#trouble('cannot be written', thrown);
    }
  }

  async #find(signal: AbortSignal): Promise<Found> {
    const text = await this.#text();
    const file = text === null ? emptyStore : this.#parsed(text);
    if (file['kept'] !== 'keyring') return { file, keptIn: 'file' };
    const kept = await this.#keyring.read(signal);
    return { file: kept === null ? emptyStore : this.#parsed(kept), keptIn: 'keyring' };
  }

  async #findOrSetAside(whenBroken: WhenBroken, signal: AbortSignal): Promise<Found> {
    try {
      return await this.#find(signal);
    } catch (thrown) {
      if (whenBroken === 'fail' || !(thrown instanceof BuddyError)) throw thrown;
      if (thrown.code === 'auth.keyring') {
        this.#notice(`${thrown.message}; what is kept there stays, and ${this.path} is begun anew`);
        return { file: emptyStore, keptIn: 'file', isOutOfReach: true };
      }
      if (!(thrown instanceof Unreadable)) throw thrown;
      const aside = `${this.path}.${new Date(this.#host.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')}`;
      moveFileSync(this.path, aside);
      this.#notice(`${thrown.message}; it was moved to ${aside}, and a new one is begun`);
      return { file: emptyStore, keptIn: 'file' };
    }
  }

  /** First the new place, then the old one: what is lost on the way is in both. What could not be read is not written over. */
  async #save(file: JsonObject, { keptIn: foundIn, isOutOfReach }: Found, signal: AbortSignal): Promise<void> {
    const whole = isOutOfReach === true ? { ...file, [BESIDE]: 'keyring' } : await this.#withRest(file, signal);
    const wanted = BESIDE in whole ? 'file' : (this.#keep ?? foundIn);
    const isInKeyring = wanted === 'keyring' && (await this.#writeKeyring(whole, foundIn, signal));
    if (!isInKeyring || foundIn === 'file') await this.#writeFile(isInKeyring ? { ...emptyStore, kept: 'keyring' } : whole);
    this.#keptIn = isInKeyring ? 'keyring' : 'file';
    const isJoined = BESIDE in file && !(BESIDE in whole);
    if (isInKeyring || (foundIn === 'file' && !isJoined)) return;
    await this.#keyring.remove(signal).catch((thrown: unknown) => this.#notice(`The old copy stays in the keyring. ${messageOf(thrown)}`));
  }

  /** With what is in the keyring besides it, when a place for all is asked for and the keyring can be read by now. */
  async #withRest(file: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (!(BESIDE in file) || this.#keep === null) return file;
    try {
      const kept = await this.#keyring.read(signal);
      const { [BESIDE]: _, ...newer } = file;
      return kept === null ? newer : joined(this.#parsed(kept), newer);
    } catch (thrown) {
      if (!(thrown instanceof BuddyError)) throw thrown;
      this.#notice(`${thrown.message}; what is kept there stays, and ${this.path} is used`);
      return file;
    }
  }

  /** False when there is no keyring, and the content can stay in the file. */
  async #writeKeyring(file: JsonObject, foundIn: KeptIn, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#keyring.write(JSON.stringify(file), signal);
      return true;
    } catch (thrown) {
      if (foundIn === 'keyring' || !(thrown instanceof BuddyError)) throw thrown;
      this.#notice(`${thrown.message}; ${this.path} is used instead`);
      return false;
    }
  }

  async #writeFile(file: JsonObject): Promise<void> {
    try {
      await writeAtomically(this.path, Buffer.from(`${JSON.stringify(file, null, 2)}\n`), OWNER_ONLY);
    } catch (thrown) {
      throw this.#trouble('cannot be written', thrown);
    }
  }

  /** Opened first and judged then, so that what is judged is what is read. */
  async #text(): Promise<string | null> {
    let file: Awaited<ReturnType<typeof openFile>>;
    try {
      file = await openFile(this.path, fileConstants.O_RDONLY | fileConstants.O_NOFOLLOW | fileConstants.O_NONBLOCK);
    } catch (thrown) {
      if (systemCode(thrown) === 'ENOENT') return null;
      if (systemCode(thrown) !== 'ELOOP') throw this.#trouble('cannot be read', thrown);
      throw new BuddyError('auth.store', `${this.path} is a symbolic link, and logins are not read through one`, {
        hint: 'Put the file itself there.',
      });
    }
    try {
      const found = await file.stat();
      const isOurs = this.#host.uid === null || this.#host.uid === 0 || found.uid === this.#host.uid;
      if (!found.isFile() || !isOurs) {
        throw new BuddyError('auth.store', `${this.path} is ${found.isFile() ? "another user's file" : 'no file'} and is not used`, {
          hint: 'Move it away and log in again.',
        });
      }
      if ((found.mode & 0o077) !== 0) {
        await file.chmod(OWNER_ONLY);
        this.#notice(`${this.path} could be read by other users; it is yours alone again (chmod 600)`);
      }
      if (found.size > LARGEST_BYTES) throw new Unreadable(`${this.path} is too large to be a list of logins`);
      return await file.readFile('utf8');
    } catch (thrown) {
      throw thrown instanceof BuddyError ? thrown : this.#trouble('cannot be read', thrown);
    } finally {
      await file.close();
    }
  }

  #parsed(text: string): JsonObject {
    const file = asObject(parseJson(text));
    if (file === null) throw new Unreadable(`${this.path} is damaged: it is not a JSON object`);
    const version = asNumber(file['version']);
    if (version === STORE_VERSION) return file;
    if (version !== null && version > STORE_VERSION) {
      throw new BuddyError('auth.store', `${this.path} was written by a newer version of this program`, {
        hint: 'Update buddy-tui, or move the file away and log in again.',
      });
    }
    throw new Unreadable(`${this.path} was written by another program and cannot be used`);
  }

  #trouble(what: string, thrown: unknown): BuddyError {
    return new BuddyError('auth.store', `${this.path} ${what}: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

/** A file of ours to replace, whose content is of no use. */
class Unreadable extends BuddyError {
  constructor(message: string) {
    super('auth.store', message, { hint: 'Run "buddy-tui login": it keeps the old file under another name and begins a new one.' });
  }
}
