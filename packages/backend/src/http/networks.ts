import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network, or anything else that calls are counted by. */
export interface Network {
  key: string;
  /** Tells how many times as much as one address all of the network may do together. */
  share: number;
}

/** The networks that a household or machine, a connection at home, and an organisation are given. */
const IPV6_NETWORKS = [
  { bits: 64, share: 1 },
  { bits: 56, share: 1.25 },
  { bits: 48, share: 1.5 },
] as const;

/**
 * Returns the networks that calls from an IP address are counted in, the narrowest first. An IPv6 address counts in three
 * of them, for the owner of a /48 has 65,536 of the narrowest; an IPv4 address inside IPv6 counts as itself.
 */
export function networksOf(ipAddress: string): readonly [Network, ...Network[]] {
  if (!isIPv6(ipAddress)) return [{ key: ipAddress, share: 1 }];
  const parsed = ipaddr.IPv6.parse(ipAddress);
  if (parsed.isIPv4MappedAddress()) return [{ key: parsed.toIPv4Address().toString(), share: 1 }];
  const [narrowest, ...wider] = IPV6_NETWORKS.map(({ bits, share }) => ({
    key: prefixOf(parsed, bits),
    share,
  }));
  return [narrowest as Network, ...wider];
}

/** Returns the key of the narrowest network of an IP address, for records; limits count in all of `networksOf`. */
export function ipKey(ipAddress: string): string {
  return networksOf(ipAddress)[0].key;
}

/** Returns the key of the widest one; IPv4 addresses are taken together by 256. */
export function wideIpKey(ipAddress: string): string {
  const widest = networksOf(ipAddress).at(-1)?.key ?? ipAddress;
  return widest.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');
}

function prefixOf({ parts }: ipaddr.IPv6, bits: 64 | 56 | 48): string {
  const groups = bits === 48 ? parts.slice(0, 3) : parts.slice(0, 4);
  if (bits === 56) groups[3] = (groups[3] ?? 0) & 0xff00;
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
}
