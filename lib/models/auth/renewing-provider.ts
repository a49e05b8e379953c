/** A provider whose credentials come from a source: refused ones are renewed once, and the request is made again. */

import type { Fetch } from '../../base/http.js';
import type { ModelSummary } from '../../protocol/events.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../provider.js';
import type { Credential, CredentialSource } from './credential-source.js';

/** Opens a provider that uses `credential`, over a fetch that adds its headers and watches what is answered. */
export type OpenWith = (credential: Credential, wrap: (fetch: Fetch) => Fetch) => ModelProvider;

/** One try more after a 401, when nothing was said yet. */
export function createRenewingProvider(summary: ModelSummary, source: CredentialSource, open: OpenWith): ModelProvider {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    let credential = await source.current(signal);
    for (let isFirst = true; ; isFirst = false) {
      let isRefused = false;
      let hasSpoken = false;
      const { headers } = credential;
      const wrap =
        (fetch: Fetch): Fetch =>
        async (input, init) => {
          const response = await fetch(input, {
            ...init,
            redirect: 'error',
            headers: { ...(init?.headers as Record<string, string>), ...headers },
          });
          isRefused = response.status === 401;
          return response;
        };
      try {
        for await (const delta of open(credential, wrap).stream(request, signal)) {
          hasSpoken = true;
          yield delta;
        }
        return;
      } catch (thrown) {
        if (!isFirst || !isRefused || hasSpoken) throw thrown;
        const other = await source.instead(credential, signal);
        if (other === null) throw thrown;
        credential = other;
      }
    }
  }
  return { summary, stream };
}
