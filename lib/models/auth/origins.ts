/** Where secrets may go: an address is judged by its origin. */

import { isLoopback } from '../../base/proxy.js';

/** True when a secret may travel there: encrypted, or without leaving this machine. */
export function isSafeForSecrets(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
