import type { data, EntryContext, LoaderFunction, RouterContextProvider } from 'react-router';

type StaticContext = EntryContext['staticHandlerContext'];
type Matches = StaticContext['matches'];
type RouteModules = EntryContext['routeModules'];

interface LoadOptions {
  url: URL;
  matches: Matches;
  routeModules: RouteModules;
  context: RouterContextProvider;
}

interface LoadedData {
  /** The data by the routes' ids. */
  loaderData: StaticContext['loaderData'];
  status: number;
}

/** Tells whether pages of these routes are left to the router: `loadData` runs no middleware, and takes no headers. */
export function needRouter(matches: Matches, routeModules: RouteModules): boolean {
  return matches.some(({ route: { id } }) => {
    const module = routeModules[id] ?? {};
    return 'headers' in module || 'middleware' in module;
  });
}

/**
 * Calls the loaders of a page at once. Throws what they throw, and the responses that they return. Returns undefined for data
 * with headers, which are left to the router.
 */
export async function loadData({
  url,
  matches,
  routeModules,
  context,
}: LoadOptions): Promise<LoadedData | undefined> {
  const pattern = `/${matches.map(({ route }) => route.path ?? '').join('')}`;
  let status = 200;
  let hasHeaders = false;
  const loaded = matches.map(async ({ route: { id }, params }) => {
    const { loader } = routeModules[id] as { loader?: LoaderFunction };
    if (!loader) return [];
    const shared = { url, params, pattern, context };
    const result = await loader({
      ...shared,
      get request() {
        return new Request(url);
      },
    });
    if (result instanceof Response) throw result;
    if (!isWithInit(result)) return [[id, result]];
    hasHeaders ||= result.init?.headers !== undefined;
    status = result.init?.status ?? status;
    return [[id, result.data]];
  });
  const loaderData = Object.fromEntries((await Promise.all(loaded)).flat());
  return hasHeaders ? undefined : { loaderData, status };
}

/** Tells whether a loader has returned its data by the router's `data`. */
function isWithInit(result: unknown): result is ReturnType<typeof data> {
  return (
    typeof result === 'object' &&
    result !== null &&
    'type' in result &&
    result.type === 'DataWithResponseInit'
  );
}
