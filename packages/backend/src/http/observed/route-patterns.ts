import { TrieRouter } from 'hono/router/trie-router';

/** Stands for all paths that belong to no route: strangers choose these. */
const OTHER = 'other';
const MAX_PATHS = 2_000;
/** Longer paths are not remembered: they would take the memory of all others. */
const LONGEST_PATH = 200;
const ANY = 'GET';

/** Returns the pattern of the route that serves a URL, of which there are few. */
export type RouteOf = (url: string) => string;

/** Creates a function that names the route of a URL by these patterns, as Hono has them: `/api/db/:projectId/*`. */
export function createRouteOf(patterns: Iterable<string>): RouteOf {
  const router = new TrieRouter<string>();
  // A pattern that ends with `/*` holds for what no other one does; of those, the longest does.
  const isOpen = (pattern: string) => pattern.endsWith('/*');
  const sorted = [...new Set(patterns)].sort(
    (left, right) => Number(isOpen(left)) - Number(isOpen(right)) || right.length - left.length,
  );
  for (const pattern of sorted) router.add(ANY, pattern, pattern);
  const known = new Map<string, string>();

  return (url) => {
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const found = known.get(path);
    if (found !== undefined) return found;
    const [[match] = []] = router.match(ANY, path.replace(/\.data$/, ''));
    const route = match?.[0] ?? OTHER;
    if (known.size === MAX_PATHS) known.clear();
    if (path.length <= LONGEST_PATH) known.set(path, route);
    return route;
  };
}
