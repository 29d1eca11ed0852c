import { data, RouterContextProvider, redirect } from 'react-router';
import { expect, it } from 'vitest';
import { loadData, needRouter } from './load-data.ts';

type Options = Parameters<typeof loadData>[0];

/** Returns what the data of a page is loaded with that shows the routes of these modules. */
function pageOf(...modules: object[]): Options {
  const routes = modules.map((module, index) => ({ id: `route${index}`, module }));
  return {
    url: new URL('http://localhost/page'),
    matches: routes.map(({ id }) => ({ params: {}, pathname: '/', pathnameBase: '/', route: { id } })),
    routeModules: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
    context: new RouterContextProvider(),
  } as unknown as Options;
}

it('the data of a page is that of all its loaders, with the status that one of them says', async () => {
  const page = pageOf({ loader: () => 'site' }, {}, { loader: () => data('none', { status: 404 }) });
  expect(await loadData(page)).toEqual({ loaderData: { route0: 'site', route2: 'none' }, status: 404 });
});

it.each([302, 404])('a response with status %s is thrown, also where a loader returns it', async (status) => {
  const response = status === 302 ? redirect('/gallery') : new Response('None.', { status });
  const thrown = () => {
    throw response;
  };
  for (const loader of [() => response, thrown])
    await expect(loadData(pageOf({ loader: () => 'site' }, { loader }))).rejects.toBe(response);
});

it('data with headers is left to the router', async () => {
  const loader = () => data('site', { headers: { 'cache-control': 'no-store' } });
  expect(await loadData(pageOf({ loader }))).toBeUndefined();
});

it('routes with middleware or headers need the router, and no others', () => {
  const needs = (module: object) => {
    const { matches, routeModules } = pageOf({ loader: () => 'site' }, module);
    return needRouter(matches, routeModules);
  };
  expect([{ middleware: [] }, { headers: () => ({}) }, { loader: () => 1 }, {}].map(needs)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
