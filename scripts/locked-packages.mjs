/** The hash that npm compares what it downloads with, before it unpacks it. */
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * Returns what is wrong with where the packages of package-lock.json come from, a sentence each. A package must have the SHA-512
 * of what was published under its name and version, and must name no place of its own: neither a repository nor an address.
 *
 * @param {Record<string, { link?: boolean, resolved?: string, integrity?: string }>} packages
 * @returns {string[]}
 */
export function faultsOfLockedPackages(packages) {
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  return installed.flatMap(([path, { resolved, integrity = '' }]) => [
    ...(SHA512.test(integrity) ? [] : [`${path} has no SHA-512.`]),
    ...(resolved === undefined ? [] : [`${path} comes from ${resolved}, and not from the registry.`]),
  ]);
}
