/** The keyring of the operating system, as an entry that holds one text. The only file that imports @napi-rs/keyring. */

import type { AsyncEntry } from '@napi-rs/keyring';
import type { Clock } from './clock.js';
import { abortError, BuddyError, isAbort, messageOf } from './errors.js';
import { settledWithin } from './settled.js';

/** What is used of the package. */
export interface KeyringModule {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => Pick<AsyncEntry, 'getPassword' | 'setPassword' | 'deletePassword'>;
}

/** One entry. Everything throws `auth.keyring`, with one sentence that says what is missing, or an AbortError. */
export interface KeyringEntry {
  /** The text; null when there is none. */
  read(signal: AbortSignal): Promise<string | null>;
  /** In the keyring when it resolves. */
  write(text: string, signal: AbortSignal): Promise<void>;
  /** Nothing is there when it resolves. */
  remove(signal: AbortSignal): Promise<void>;
}

/** Long enough for a person who unlocks it in a window of its own (milliseconds). */
const LIMIT_MS = 60_000;

/** Package and keyring are looked for when something is asked. `load` is for tests. */
export function keyringEntry(
  { service, account, clock }: { readonly service: string; readonly account: string; readonly clock: Clock },
  load: () => Promise<KeyringModule> = () => import('@napi-rs/keyring'),
): KeyringEntry {
  async function use<T>(signal: AbortSignal, work: (entry: InstanceType<KeyringModule['AsyncEntry']>) => Promise<T>): Promise<T> {
    let loaded: KeyringModule;
    try {
      loaded = await load();
    } catch (thrown) {
      throw unusable('its package @napi-rs/keyring is not installed here, or not for this system', thrown);
    }
    try {
      // Its other store, of the kernel, forgets everything when the machine starts anew.
      const asked = work(new loaded.AsyncEntry(service, account, { linux: { store: 'secret-service' } }));
      // Nothing can stop a keyring that waits for a person.
      if (await settledWithin(asked, LIMIT_MS, clock, signal)) return await asked;
      throw signal.aborted ? abortError() : unusable(`it did not answer within ${LIMIT_MS / 1000} s`, null);
    } catch (thrown) {
      throw isAbort(thrown) || thrown instanceof BuddyError ? thrown : unusable(reasonOf(messageOf(thrown)), thrown);
    }
  }
  return {
    read: (signal) => use(signal, (entry) => entry.getPassword()),
    write: (text, signal) => use(signal, (entry) => entry.setPassword(text)),
    remove: (signal) => use(signal, async (entry) => void (await entry.deletePassword())),
  };
}

function unusable(why: string, cause: unknown): BuddyError {
  return new BuddyError('auth.keyring', `The keyring of the system cannot be used: ${why}`, {
    hint: 'Set store = "file" under [auth] to keep logins in auth.json; a key can also come from api_key_env, api_key_file or api_key_command.',
    cause,
  });
}

/** What its own words mean. */
function reasonOf(message: string): string {
  if (/dbus|d-bus|secret service.*not (found|available)|ServiceUnknown/i.test(message) && !/prompt|locked/i.test(message))
    return 'there is no Secret Service (gnome-keyring, KWallet, KeePassXC) in this session';
  if (/prompt|locked/i.test(message)) return 'it is locked, and was not unlocked';
  return message.replace(/\s+/g, ' ').trim();
}
