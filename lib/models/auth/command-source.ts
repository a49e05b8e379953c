/** The key of `api_key_command`: asked for once, and again when it was refused. */

import type { Host } from '../../base/host.js';
import type { ModelProfile } from '../../config/profiles.js';
import { resolveKey } from '../key.js';
import type { Credential, CredentialSource } from './credential-source.js';

/** A source for a profile whose key is of the kind `command`. */
export function createCommandSource(profile: ModelProfile, host: Host): CredentialSource {
  let known: Credential | null = null;
  const ask = async (signal: AbortSignal): Promise<Credential> => {
    known = { key: await resolveKey(profile, host, signal), headers: {}, baseUrl: null };
    return known;
  };
  return {
    current: async (signal) => known ?? ask(signal),
    async instead(refused, signal) {
      known = null;
      const found = await ask(signal);
      return found.key === refused.key ? null : found;
    },
  };
}
