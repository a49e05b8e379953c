/** The key of a profile, found when a request needs it, so that a changed file or variable counts at once. */

import { BuddyError } from '../base/errors.js';
import { fileTrouble, readFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { ModelProfile } from '../config/profiles.js';

async function rawKey({ key, name, auth }: ModelProfile, host: Host): Promise<string> {
  if (key === null) {
    if (auth === 'api-key') return '';
    throw new BuddyError('model.auth', `Profile ${name} uses auth = "login", which is not available`, {
      hint: 'Give it api_key_env or api_key_file, or choose another profile with /model.',
    });
  }
  if (key.kind === 'literal') return key.value;
  if (key.kind === 'env') {
    const value = (host.env[key.name] ?? '').trim();
    if (value !== '') return value;
    throw new BuddyError('model.auth', `${key.name} is not set, and profile ${name} takes its key from there`, {
      hint: `Set ${key.name} and start again, or choose another profile with /model.`,
    });
  }
  try {
    return (await readFile(key.path, 'utf8')).replace(/[\r\n]+$/, '');
  } catch (thrown) {
    throw new BuddyError('model.auth', `The key file ${key.path} of profile ${name} cannot be read: ${fileTrouble(thrown)}`, {
      cause: thrown,
    });
  }
}

/** The key to send, '' for none. Throws `model.auth` when it should be there and is not. */
export async function resolveKey(profile: ModelProfile, host: Host): Promise<string> {
  const key = await rawKey(profile, host);
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new BuddyError('model.auth', `The key of profile ${profile.name} holds blanks, line ends or characters that no key has`, {
    hint: 'Look for a second line or a stray character where it is kept.',
  });
}
