import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Milliseconds after which the interfaces are listed, and the public host is looked up, once more. */
const INTERFACES_MS = 5_000;
const PUBLIC_HOST_MS = 60_000;

/** Addresses of clouds' metadata services, which an IPv6 address of a translator may carry. */
const METADATA_ADDRESSES: readonly string[] = ['169.254.169.254', '168.63.129.16', '100.100.100.200'];

/** The places of the four bytes of an IPv4 address in an IPv6 address of a translator, for each prefix (RFC 6052, section 2.2). */
const EMBEDDED_BYTES = [
  [4, 5, 6, 7],
  [5, 6, 7, 9],
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
] as const;

/** Lists the network interfaces of this machine, as `os.networkInterfaces()` does. */
export type ListInterfaces = () => NodeJS.Dict<readonly { address: string }[]>;

interface OwnAddressesOptions {
  interfaces?: ListInterfaces | undefined;
  /** Looks up the host of the public URL, behind which this machine may stand; `undefined` when there is none. */
  lookUpPublicHost: (() => Promise<readonly { address: string }[]>) | undefined;
  /** Returns the current time in milliseconds. */
  now?: () => number;
}

/** The IP addresses that lead to this machine, public ones included. */
interface OwnAddresses {
  /** Waits until the addresses of the public host are known, or could not be looked up. */
  ready(): Promise<void>;
  /** Returns whether the IP address is one of this machine, or an IPv6 address that a translator makes of one. */
  includes(address: string): boolean;
}

export function createOwnAddresses({
  interfaces = networkInterfaces,
  lookUpPublicHost,
  now = () => performance.now(),
}: OwnAddressesOptions): OwnAddresses {
  let listed = { at: Number.NEGATIVE_INFINITY, addresses: new Set<string>() };
  let publicHost = { at: Number.NEGATIVE_INFINITY, addresses: new Set<string>() };
  let lookingUp: Promise<void> | undefined;

  async function lookUp(): Promise<void> {
    // Addresses that were found once stay known while DNS fails.
    const found = await lookUpPublicHost?.().catch(() => undefined);
    publicHost = { at: now(), addresses: found ? setOf(found) : publicHost.addresses };
    lookingUp = undefined;
  }

  function isOwn(address: string): boolean {
    if (now() - listed.at >= INTERFACES_MS) {
      listed = { at: now(), addresses: setOf(Object.values(interfaces()).flatMap((one) => one ?? [])) };
    }
    return listed.addresses.has(address) || publicHost.addresses.has(address);
  }

  return {
    async ready() {
      if (!lookUpPublicHost || now() - publicHost.at < PUBLIC_HOST_MS) return;
      const isFirst = publicHost.at === Number.NEGATIVE_INFINITY;
      lookingUp ??= lookUp();
      if (isFirst) await lookingUp;
    },
    includes(address) {
      if (!ipaddr.isValid(address)) return false;
      if (isOwn(canonical(address))) return true;
      const parsed = ipaddr.process(address);
      if (parsed instanceof ipaddr.IPv4) return false;
      const bytes = parsed.toByteArray();
      return EMBEDDED_BYTES.some((places) => {
        const embedded = places.map((place) => bytes[place]).join('.');
        return METADATA_ADDRESSES.includes(embedded) || isOwn(embedded);
      });
    },
  };
}

function setOf(addresses: readonly { address: string }[]): Set<string> {
  return new Set(
    addresses.filter(({ address }) => ipaddr.isValid(address)).map(({ address }) => canonical(address)),
  );
}

/** Returns an IP address in the one form in which it is compared: without a zone, IPv4 out of its mapped form. */
function canonical(address: string): string {
  return ipaddr.process(address.replace(/%.*/, '')).toString();
}
