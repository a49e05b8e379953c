/** A provider whose credentials come from a source: refused ones are renewed once, and the request is made again. */

import type { Fetch } from '../../base/http.js';
import type { ModelSummary } from '../../protocol/events.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../provider.js';
import type { Credential, CredentialSource } from './credential-source.js';

/** Opens a provider that uses `credential`, over a fetch that adds its headers and watches what is answered. */
export type OpenWith = (credential: Credential, wrap: (fetch: Fetch) => Fetch) => ModelProvider;

/** A provider that is open, and whether the server refused its credential. */
interface Opened {
  readonly credential: Credential;
  readonly provider: ModelProvider;
  isRefused: boolean;
}

/** One try more after a 401, when nothing was said yet. What a provider has learned of its server is kept while the credential holds. */
export function createRenewingProvider(summary: ModelSummary, source: CredentialSource, openWith: OpenWith): ModelProvider {
  let last: Opened | null = null;

  function open(credential: Credential): Opened {
    if (last !== null && last.credential.key === credential.key) return last;
    const { headers } = credential;
    const wrap =
      (fetch: Fetch): Fetch =>
      async (input, init) => {
        const response = await fetch(input, {
          ...init,
          redirect: 'error',
          headers: { ...(init?.headers as Record<string, string>), ...headers },
        });
        opened.isRefused = response.status === 401;
        return response;
      };
    const opened: Opened = { credential, provider: openWith(credential, wrap), isRefused: false };
    last = opened;
    return opened;
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    let credential = await source.current(signal);
    for (let isFirst = true; ; isFirst = false) {
      const opened = open(credential);
      opened.isRefused = false;
      let hasSpoken = false;
      try {
        for await (const delta of opened.provider.stream(request, signal)) {
          hasSpoken = true;
          yield delta;
        }
        return;
      } catch (thrown) {
        if (!isFirst || !opened.isRefused || hasSpoken) throw thrown;
        const other = await source.instead(credential, signal);
        if (other === null) throw thrown;
        credential = other;
      }
    }
  }
  return { summary, stream };
}
