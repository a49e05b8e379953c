/** Where secrets may go: an address is judged by its origin. */

/** True for a server on this very machine. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** True when a secret may travel there: encrypted, or without leaving this machine. */
export function isSafeForSecrets(url: string): boolean {
  return URL.canParse(url) && (new URL(url).protocol === 'https:' || (new URL(url).protocol === 'http:' && isLoopback(url)));
}
