import ipaddr from 'ipaddr.js';

/** The range in which the addresses of the public internet lie (RFC 4291); the rest of IPv6 is for other purposes. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its number, and a cloud's own service on every machine of it (Azure). */
const HOSTS_OF_CLOUDS: readonly string[] = ['168.63.129.16'];

/** ISATAP (RFC 5214): the last four bytes are an IPv4 address, which may be any. */
const ISATAP = /:(?:0|200):5efe:[\da-f]+:[\da-f]+$/;

/**
 * Returns whether this is an address of the public internet. It is false for private, loopback, link-local, shared
 * (CGNAT), metadata, multicast, documentation, benchmarking and reserved addresses, for IPv6 forms that carry an IPv4
 * address (mapped, 6to4, Teredo, NAT64, ISATAP), and for what is no address.
 */
export function isPublicIpAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || HOSTS_OF_CLOUDS.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(GLOBAL_UNICAST) && !ISATAP.test(parsed.toNormalizedString());
}
