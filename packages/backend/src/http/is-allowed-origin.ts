/** Is this the web address of a page whose origin is on the list? Addresses of other schemes have origins too: `blob:https://example.org/…`. */
export function isAllowedOrigin(address: string, origins: ReadonlySet<string>): boolean {
  const { origin, protocol } = URL.parse(address) ?? {};
  return origin !== undefined && /^https?:$/.test(protocol ?? '') && origins.has(origin);
}
