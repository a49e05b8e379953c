/** Which proxy stands between here and an address, by the variables that everybody reads. */

import { BlockList, isIP } from 'node:net';
import { BuddyError, hasText } from './errors.js';

/** The part of the environment that is looked at. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** Schemes of proxies that can be gone through. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/** A variable under its small or its capital name; an empty one is not set. */
function read(env: ProxyEnvironment, name: string): { readonly name: string; readonly value: string } | null {
  for (const one of [name, name.toUpperCase()]) {
    const value = (env[one] ?? '').trim();
    if (value !== '') return { name: one, value };
  }
  return null;
}

/** The name or number of a host, without the brackets of IPv6. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** True for this very machine: its names (RFC 6761, 6.3: all of `localhost`) and its numbers. The one place that judges this. */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** May a secret travel there: encrypted, or without leaving this machine. An address is judged by its origin. */
export function isSafeForSecrets(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Networks of houses and offices (RFC 1918, 3927, 6598, 4193, 4291). */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fe80::/10'] as const;

/** True for this machine and for hosts of a private network: a number of one, or a name that only such a network knows. */
export function isNearby(hostname: string): boolean {
  const host = bare(hostname);
  if (isLoopback(host)) return true;
  if (isIP(host) === 0) return !host.includes('.') || /\.(local|lan|internal|home\.arpa)$/.test(host);
  return PRIVATE.some((network) => inNetwork(host, network));
}

function inNetwork(host: string, entry: string): boolean {
  const family = isIP(host);
  const [network = '', bits = ''] = entry.split('/');
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** One entry of NO_PROXY: a name and all below it, a number, a network, each with or without a port, or `*`. */
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return inNetwork(host, entry);
  const parts = /^(\[[^\]]+\]|[^:]+|[^[\]]*:[^[\]]*:[^[\]]*)(?::(\d+))?$/.exec(entry);
  if (parts === null || (parts[2] !== undefined && parts[2] !== port)) return false;
  const name = bare((parts[1] ?? '').replace(/^\*?\./, ''));
  return host === name || (isIP(name) === 0 && host.endsWith(`.${name}`));
}

/**
 * The proxy for `url`, or null for the straight way. This machine is never looked for behind a proxy.
 * Throws `network.proxy` when a variable holds no address of a proxy.
 */
export function proxyFor(url: URL, env: ProxyEnvironment): URL | null {
  const host = bare(url.hostname);
  const found = read(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? read(env, 'all_proxy');
  if (found === null || isLoopback(host)) return null;
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const exceptions = (read(env, 'no_proxy')?.value ?? '').toLowerCase().split(/[\s,]+/);
  if (exceptions.some((entry) => entry !== '' && excludes(entry, host, port))) return null;
  const written = /^[a-z0-9+.-]+:\/\//i.test(found.value) ? found.value : `http://${found.value}`;
  const proxy = URL.canParse(written) ? new URL(written) : null;
  if (proxy !== null && SCHEMES.has(proxy.protocol) && proxy.hostname !== '') return proxy;
  throw new BuddyError('network.proxy', `${found.name} holds no address of a proxy`, {
    hint: 'Write it as http://host:port (https and socks5 go too), or unset it.',
  });
}

/** undici tells the status of a proxy in words only, on one of the causes. */
function proxyStatus(thrown: unknown): number | null {
  let at = thrown;
  for (let depth = 0; depth < 4 && hasText(at, 'message'); depth++) {
    const said = /^Proxy response \((\d{3})\)|Proxy Authentication Required \((407)\)/.exec(at.message);
    if (said !== null) return Number(said[1] ?? said[2]);
    at = (at as { readonly cause?: unknown }).cause;
  }
  return null;
}

/** A request that failed on its way through a proxy. */
export class ProxyError extends TypeError {
  override readonly name = 'ProxyError';
  /** Its host and port. */
  readonly proxy: string;
  /** What it answered when it was asked for a way; null when it was not reached, or what lies behind it failed. */
  readonly status: number | null;

  constructor(proxy: string, thrown: unknown) {
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    super('the request failed on its way through a proxy', { cause: cause ?? thrown });
    this.proxy = proxy;
    this.status = proxyStatus(thrown);
  }
}
