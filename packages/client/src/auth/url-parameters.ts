import type { WindowLike } from '../browser/window.ts';

/**
 * Returns the parameters of the page's URL and removes them from it and from the history entry, so that neither
 * stores them or passes them on.
 */
export function takeParameters<Name extends string>(
  window: WindowLike,
  names: readonly Name[],
): Record<Name, string | null> {
  const url = new URL(window.location.href);
  const query = url.searchParams;
  const taken = Object.fromEntries(names.map((name) => [name, query.get(name)])) as Record<
    Name,
    string | null
  >;
  if (!names.some((name) => query.has(name))) return taken;
  for (const name of names) query.delete(name);
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`);
  return taken;
}

export function hasParameter(window: WindowLike, name: string): boolean {
  return new URL(window.location.href).searchParams.has(name);
}
