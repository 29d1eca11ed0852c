import { createElement } from 'react';
import { data, type LoaderFunctionArgs, Outlet, type ServerBuild, useLoaderData } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { createRenderer, NO_READER, type PageJob, type PageParts } from './create-renderer.ts';

// Only the build knows the names of built files.
vi.mock('virtual:built-files', () => ({ builtFiles: {} }));

/** The paths whose pages the router has rendered, and those whose data was loaded, in order. */
const byRouter: string[] = [];
const loaded: string[] = [];
const failures: unknown[] = [];
let render: (path: string) => Promise<{ status: number; html: string }>;

/** Loads what a path names: nothing, a date, which only the router encodes, or a text. */
function loader({ params: { id = '' }, url }: LoaderFunctionArgs & { url: URL }) {
  loaded.push(url.pathname);
  if (id === 'none') throw data(null, { status: 404 });
  return id === 'dated' ? { id, at: new Date(0) } : { id };
}

function Page() {
  return createElement('p', null, useLoaderData<{ id: string }>().id);
}

function Root() {
  return createElement('html', null, createElement('body', null, createElement(Outlet)));
}

beforeAll(async () => {
  const { default: handleRequest, ...entry } = await import('../../app/entry.server.tsx');
  const noted: typeof handleRequest = (request, ...rest) => {
    byRouter.push(new URL(request.url).pathname);
    return handleRequest(request, ...rest);
  };
  const root = { id: 'root', path: '', module: { default: Root, ErrorBoundary: Root } };
  const pages = ['first', 'second'].map((id) => ({
    ...{ id, parentId: 'root', path: `${id}/:id`, module: { default: Page, loader } },
  }));
  const routes = Object.fromEntries([root, ...pages].map((route) => [route.id, route]));
  const assets = { entry: { module: '', imports: [] }, routes, url: '', version: '' };
  const build = {
    ...{ routes, assets, ssr: true, prerender: [], publicPath: '/', future: {}, isSpaMode: false },
    routeDiscovery: { mode: 'initial' },
    entry: { module: { ...entry, default: noted } },
  } as unknown as ServerBuild;
  const renderDocument = createRenderer({
    ...{ build, mode: 'development', styles: undefined },
    settings: {
      ...{ mainProjectId: 'journal', publicUrl: 'http://localhost', storageOrigin: '' },
      ...{ sendsMail: false, translatesComments: false, providers: [] },
    },
  });
  render = async (path) => {
    const job = { url: `http://localhost${path}`, language: 'en', projectId: 'journal', allowedOrigins: [] };
    const parts = { ...NO_READER, fetch, reportFailure: (error: unknown) => failures.push(error) };
    const { status, body } = await renderDocument(job as unknown as PageJob, parts as unknown as PageParts);
    const chunks = body instanceof Buffer ? body : JSON.stringify(body);
    return { status, html: chunks.toString() };
  };
});

test('the router renders the first page of its routes, and those whose loaders throw what is no redirect', async () => {
  for (const id of ['a', 'b', 'none', 'c'])
    expect((await render(`/first/${id}`)).status, id).toBe(id === 'none' ? 404 : 200);
  expect(byRouter).toEqual(['/first/a', '/first/none']);
  expect(failures).toEqual([]);
});

test('a page that only the router can render is reported once, and all of its routes are left to the router', async () => {
  byRouter.length = 0;
  loaded.length = 0;
  for (const id of ['a', 'b', 'dated', 'dated', 'c']) {
    const { status, html } = await render(`/second/${id}`);
    expect([status, html]).toEqual([200, expect.stringContaining(`<p>${id}</p>`)]);
  }
  const rest = ['/second/dated', '/second/dated', '/second/c'];
  expect(byRouter).toEqual(['/second/a', ...rest]);
  expect(loaded).toEqual(['/second/a', '/second/b', '/second/dated', ...rest]);
  expect(failures).toEqual([expect.any(TypeError)]);
});
