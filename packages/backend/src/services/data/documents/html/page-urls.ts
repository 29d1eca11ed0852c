const MAX_LENGTH = 4_000;

/** An address of the web, whole. Undefined for none, for `javascript:`, `data:` and the like, and without a base. */
export function absoluteUrl(address: string | undefined, base: string | undefined): string | undefined {
  if (!address || address.length > MAX_LENGTH) return undefined;
  const url = URL.parse(address, base)?.href;
  return url && /^https?:/.test(url) ? url : undefined;
}
