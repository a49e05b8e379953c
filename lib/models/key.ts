/**
 * The key of a profile, found when a request needs it, so that a changed file or variable counts at once. In this order: the source that
 * the profile names (for the profile of the start BUDDY_API_KEY, when it is set), then the key that was stored for its address.
 */

import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { keyringEntry } from '../base/keyring.js';
import { isLoopback } from '../base/proxy.js';
import type { KeySource, ModelProfile } from '../config/profiles.js';
import { CredentialStore } from './auth/credential-store.js';
import { keyFor } from './auth/credentials.js';
import { keyFromCommand } from './auth/key-command.js';
import { keyFromFile, soundKey } from './auth/key-file.js';

async function rawKey(profile: ModelProfile, host: Host, signal: AbortSignal): Promise<string> {
  const { key, name, auth } = profile;
  if (key === null) {
    if (auth === 'login') {
      throw new BuddyError('model.auth', `Profile ${name} uses auth = "login", and nobody is logged in`, {
        hint: 'Run "buddy-tui login openai", or /login openai.',
      });
    }
    return storedKey(profile, host, signal);
  }
  switch (key.kind) {
    case 'literal':
      return key.value;
    case 'command':
      return keyFromCommand(key.command, `profile ${name}`, host, signal);
    case 'env':
      return keyOfVariable(key.name, profile, host, signal);
    case 'keyring':
      return keyOfKeyring(key, profile, host, signal);
    case 'file':
      return keyFromFile(key.path, `profile ${name}`, 'model.auth');
  }
}

async function keyOfVariable(variable: string, profile: ModelProfile, host: Host, signal: AbortSignal): Promise<string> {
  const value = (host.env[variable] ?? '').trim();
  const key = value === '' ? await storedKey(profile, host, signal) : value;
  if (key !== '') return key;
  throw new BuddyError('model.auth', `${variable} is not set, and profile ${profile.name} takes its key from there`, {
    hint: `Set ${variable} and start again, store a key with "buddy-tui login ${profile.name}", or choose another profile with /model.`,
  });
}

async function keyOfKeyring(
  { service, account }: Extract<KeySource, { readonly kind: 'keyring' }>,
  profile: ModelProfile,
  { clock, env }: Host,
  signal: AbortSignal,
): Promise<string> {
  const whose = account ?? env['USER'] ?? env['LOGNAME'] ?? '';
  const key = await keyringEntry({ service, account: whose, clock }).read(signal);
  if (key !== null && key.trim() !== '') return key.trim();
  throw new BuddyError(
    'model.auth',
    `The keyring has no entry "${service}" of ${whose}, and profile ${profile.name} takes its key from there`,
    {
      hint: `Make it: secret-tool store --label=${service} service ${service} username ${whose}`,
    },
  );
}

async function storedKey({ baseUrl }: ModelProfile, host: Host, signal: AbortSignal): Promise<string> {
  try {
    return keyFor(await new CredentialStore(host).read(signal), baseUrl);
  } catch (thrown) {
    // A server on this machine hardly ever has a key.
    if (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)) return '';
    throw thrown;
  }
}

/** The key to send, '' for none. Throws `model.auth` when it should be there and is not, `auth.store`, `auth.keyring`, an AbortError. */
export async function resolveKey(profile: ModelProfile, host: Host, signal: AbortSignal): Promise<string> {
  return soundKey(await rawKey(profile, host, signal), `profile ${profile.name}`, 'model.auth');
}
