import type { data, EntryContext, LoaderFunction, RouterContextProvider } from 'react-router';

type StaticContext = EntryContext['staticHandlerContext'];

interface LoadedData {
  /** By the routes' ids. */
  loaderData: StaticContext['loaderData'];
  status: number;
}

/** Calls the loaders of a page at once. Throws what they throw. */
export async function loadData({
  url,
  matches,
  routeModules,
  context,
}: Pick<StaticContext, 'matches'> &
  Pick<EntryContext, 'routeModules'> & { url: URL; context: RouterContextProvider }): Promise<LoadedData> {
  const pattern = `/${matches.map(({ route }) => route.path ?? '').join('')}`;
  let status = 200;
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
    if (!isWithInit(result)) return [[id, result]];
    status = result.init?.status ?? status;
    return [[id, result.data]];
  });
  return { loaderData: Object.fromEntries((await Promise.all(loaded)).flat()), status };
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
