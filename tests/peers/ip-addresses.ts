import type { RunningServer } from './start-server.ts';

/**
 * Settings of a server that has the limits of every installation and stands behind a proxy, so that each test may come
 * from a network of its own, as different people do. It logs every request that is refused, those of its own pages too.
 */
export const BEHIND_PROXY = { TRUST_PROXY: '1', LOG_LEVEL: 'debug' } as const;

let given = 0;

/** Returns an IP address of a network that nobody has come from before, of the range for tests of networks (RFC 2544). */
export function newIpAddress(): string {
  given += 1;
  return `198.${18 + ((given >> 8) & 1)}.${given & 255}.${1 + ((given >> 9) & 127)}`;
}

/** Returns the header by which a proxy names the client. */
export function forwardedFor(ipAddress: string): Record<string, string> {
  return { 'x-forwarded-for': ipAddress };
}

/** Returns the lines that a server has logged of requests that a limit refused. */
export function limitedRequests({ output }: Pick<RunningServer, 'output'>): string[] {
  return output()
    .split('\n')
    .filter((line) => line.includes('"status":429'));
}
