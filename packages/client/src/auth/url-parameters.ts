import type { WindowLike } from '../browser/window.ts';

/** Takes parameters out of the page's address and history entry, so that neither keeps them nor passes them on. */
export function takeParameters<Name extends string>(
  window: WindowLike,
  names: readonly Name[],
): Record<Name, string | null> {
  const address = new URL(window.location.href);
  const query = address.searchParams;
  const taken = Object.fromEntries(names.map((name) => [name, query.get(name)]));
  if (!names.some((name) => query.has(name))) return taken as Record<Name, null>;
  for (const name of names) query.delete(name);
  window.history.replaceState(
    window.history.state,
    '',
    `${address.pathname}${address.search}${address.hash}`,
  );
  return taken as Record<Name, string | null>;
}

export function hasParameter(window: WindowLike, name: string): boolean {
  return new URL(window.location.href).searchParams.has(name);
}
