/** Which IP addresses belong to the public internet: what a page or a name server says may never lead to any other. */

import ipaddr from 'ipaddr.js';

/** What an address is, in words: `loopback`, `private`, `link-local`; `public` for the rest. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'metadata' | 'special' | 'unreadable';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Answered by clouds on behalf of the machine, though it looks public (Azure WireServer). */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16', '169.254.169.254', '100.100.100.200', 'fd00:ec2:0:0:0:0:0:254']);
/** Global unicast of today (RFC 4291 and IANA): what is outside cannot be public. */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** Translation to IPv4 by the network itself (RFC 6052); the local prefix of RFC 8215 is not it. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];
const KINDS: Readonly<Record<string, AddressKind>> = {
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'link-local',
};

/** `address` without brackets, IPv4 out of its mapped form, NAT64 decoded; null when it is none or names a network card. */
function parsed(address: string): Address | null {
  const bare = address.replace(/^\[|\]$/g, '');
  if (bare.includes('%') || !ipaddr.isValid(bare) || (!bare.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(bare))) return null;
  const found = ipaddr.process(bare);
  if (!isV6(found) || !found.match(NAT64)) return found;
  return ipaddr.IPv4.parse(found.toByteArray().slice(12).join('.'));
}

function isV6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

/** An IPv4 address inside of the interface part (RFC 5214): it would be tunnelled to that one. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , first = 0, second = 0] = address.parts;
  return (first & 0xfdff) === 0 && second === 0x5efe;
}

/** What kind of address that is. In doubt it is not public. */
export function addressKind(address: string): AddressKind {
  const found = parsed(address);
  if (found === null) return 'unreadable';
  if (METADATA.has(found.toNormalizedString())) return 'metadata';
  const range = found.range();
  if (range !== 'unicast') return KINDS[range] ?? 'special';
  if (!isV6(found)) return 'public';
  return found.match(GLOBAL_V6) && !isIsatap(found) ? 'public' : 'special';
}

/** The same text for the same address, however it is spelled; the text itself when it is none. */
export function sameAddress(address: string): string {
  return parsed(address)?.toNormalizedString() ?? address;
}

/** Is `address` in `network` (`10.20.0.0/16`)? False when either is not what it should be. */
export function isInNetwork(address: string, network: string): boolean {
  const found = parsed(address);
  if (found === null || !ipaddr.isValidCIDR(network)) return false;
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === found.kind() && found.match([base, bits] as [ipaddr.IPv4, number]);
}
