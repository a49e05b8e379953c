/** Which addresses of the web may be fetched. Pure; names are resolved, and numbers judged again, when a connection is opened. */

import { isIP } from 'node:net';
import { addressKind, isInNetwork, sameAddress } from '../base/public-address.js';

/** What the user's settings say. An entry is a domain and all below it, or a number; each with or without a port. */
export interface WebRules {
  /** When not empty, nothing else is fetched. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  /** Hosts (exactly, with or without a port) and networks of one's own, which are not public and may be fetched all the same. */
  readonly privateHosts: readonly string[];
}

/** Names that never mean a host of the public internet: without a dot, or of RFC 6761, 6762 and ICANN's `.internal`. */
const OWN_NAMES = /^[^.]+$|(^|\.)(localhost|local|internal|home\.arpa|onion)$/;
/** Services on high ports that speak no HTTP, or to which a page must not lead. */
const SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 5985, 6000, 6379, 6443, 6667, 7001, 8500,
  9042, 9092, 9200, 9300, 10250, 11211, 15672, 25565, 27017, 50070,
]);

/** The host of `url` as it is compared: no brackets, no dot at its end, small letters, IDN in punycode. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The port that `url` means. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

interface Entry {
  readonly host: string;
  readonly port: number | null;
}

/** An entry of a list; null when it says nothing that could be compared. */
function entryOf(text: string): Entry | null {
  const written = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*?\./, '');
  const bare = isIP(written) === 6 ? `[${written}]` : written;
  if (bare === '' || !URL.canParse(`http://${bare}`)) return null;
  const port = /:(\d+)\/?$/.exec(bare.replace(/^\[[^\]]*\]/, ''))?.[1];
  return { host: hostOf(new URL(`http://${bare}`)), port: port === undefined ? null : Number(port) };
}

function names(entry: string, host: string, port: number, below: boolean): boolean {
  const found = entryOf(entry);
  if (found === null || (found.port !== null && found.port !== port)) return false;
  if (isIP(found.host) !== 0 || isIP(host) !== 0) return sameAddress(found.host) === sameAddress(host);
  return host === found.host || (below && host.endsWith(`.${found.host}`));
}

function isListed(list: readonly string[], host: string, port: number): boolean {
  return list.some((entry) => names(entry, host, port, true));
}

/** Did the user name this very host as one of their own? */
function isOwn({ privateHosts }: WebRules, host: string, port: number): boolean {
  return privateHosts.some((entry) => names(entry, host, port, false));
}

/** Why there is no connection to `address`, found for `host`; null when there may be one. */
export function addressRefusal(address: string, host: string, port: number, rules: WebRules): string | null {
  const kind = addressKind(address);
  if (kind === 'public') return null;
  const isNumber = sameAddress(address) === sameAddress(host);
  if (isNumber && isOwn(rules, host, port)) return null;
  const isNear = kind === 'private' || (kind === 'loopback' && /(^|\.)localhost$/.test(host));
  if (!isNumber && isNear && isOwn(rules, host.replace(/\.$/, ''), port)) return null;
  if (kind === 'private' && rules.privateHosts.some((entry) => entry.includes('/') && isInNetwork(address, entry))) return null;
  const what = kind === 'unreadable' ? 'no address that can be judged' : `not a public address (${kind})`;
  const remedy = kind === 'metadata' ? '' : '; the user can allow it in tools.fetch_private_hosts';
  return `${isNumber ? address : `${host} is ${address}, which`} is ${what}${remedy}`;
}

/** Why `url` is not fetched; null when it may be, as far as it can be told from the outside. */
export function urlRefusal(url: URL, rules: WebRules): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `only http and https are fetched, not ${url.protocol.slice(0, -1)}`;
  if (url.username !== '' || url.password !== '') return 'an address with a user name or password in it is not fetched';
  const host = hostOf(url);
  const port = portOf(url);
  if (host === '' || port === 0) return 'it names no host';
  if (isListed(rules.blockedDomains, host, port)) return `${host} is in tools.fetch_blocked_domains`;
  if (rules.allowedDomains.length > 0 && !isListed(rules.allowedDomains, host, port) && !isOwn(rules, host, port))
    return `${host} is not in tools.fetch_allowed_domains`;
  if (isIP(host) !== 0) return addressRefusal(host, host, port, rules);
  if (OWN_NAMES.test(host) && !isOwn(rules, host, port))
    return `${host} is a name of this machine or its network; the user can allow it in tools.fetch_private_hosts`;
  return null;
}

/** Is that a port on which web pages are not expected, and that the user did not name? */
export function isUnusualPort(url: URL, rules: WebRules): boolean {
  const port = portOf(url);
  if (port === 80 || port === 443 || (port >= 1024 && !SERVICES.has(port))) return false;
  return ![...rules.privateHosts, ...rules.allowedDomains].some(
    (entry) => entryOf(entry)?.port === port && names(entry, hostOf(url), port, true),
  );
}

/** Runs of letters and digits with no word in them. */
const DENSE = /[A-Za-z0-9+_=~%-]{24,}/g;
/** More of it than an id in an address needs. */
const MOST_DENSE = 200;

/** Does its query hold a word that cannot be read, such as a key or encoded text? */
export function asksUnreadably(url: URL): boolean {
  return (url.search.match(DENSE) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}

/** Does the address carry so much that cannot be read that something could be told to its host with it? */
export function carriesMuch(url: URL): boolean {
  const runs = `${url.hostname.replaceAll('.', '')}/${url.pathname}${url.search}`.match(DENSE) ?? [];
  const dense = runs.filter((run) => /\d/.test(run) && /[A-Za-z]/.test(run) && !/^(?:[a-z]+|\d+)(?:-(?:[a-z]+|\d+))+$/.test(run));
  return dense.reduce((sum, run) => sum + run.length, 0) > MOST_DENSE;
}
