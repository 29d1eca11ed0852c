import { createElement, Suspense, use } from 'react';
import { data, type LoaderFunctionArgs, Outlet, type ServerBuild, useLoaderData } from 'react-router';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createRenderer, NO_READER, type PageJob, type PageParts } from './create-renderer.ts';

// Only the build knows the names of built files.

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

/** Shows a part that waits, unless the id is `ready`. */
function WaitingPage() {
  const { id } = useLoaderData<{ id: string }>();
  return createElement(Suspense, null, createElement(id === 'ready' ? Page : LateText, { id }));
}

const lateTexts = new Map<string, Promise<string>>();

function LateText({ id }: { id: string }) {
  const text = lateTexts.get(id) ?? Promise.resolve(id);
  lateTexts.set(id, text);
  return createElement('p', null, use(text));
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
  const pages = Object.entries({ first: Page, second: Page, third: WaitingPage }).map(([id, page]) => ({
    ...{ id, parentId: 'root', path: `${id}/:id`, module: { default: page, loader } },
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

beforeEach(() => {
  for (const list of [byRouter, loaded, failures]) list.length = 0;
});

test('the router renders the first page of its routes, and those whose loaders throw what is no redirect', async () => {
  for (const id of ['a', 'b', 'none', 'c'])
    expect((await render(`/first/${id}`)).status, id).toBe(id === 'none' ? 404 : 200);
  expect(byRouter).toEqual(['/first/a', '/first/none']);
  expect(failures).toEqual([]);
});

test('a page that only the router can render is reported once, and all of its routes are left to the router', async () => {
  for (const id of ['a', 'b', 'dated', 'dated', 'c']) {
    const { status, html } = await render(`/second/${id}`);
    expect([status, html]).toEqual([200, expect.stringContaining(`<p>${id}</p>`)]);
  }
  const rest = ['/second/dated', '/second/dated', '/second/c'];
  expect(byRouter).toEqual(['/second/a', ...rest]);
  expect(loaded).toEqual(['/second/a', '/second/b', '/second/dated', ...rest]);
  expect(failures).toEqual([expect.any(TypeError)]);
});

test('routes are left to the router once 100 of their pages in a row had a part that waits', async () => {
  let waited = 0;
  const wait = async (pages: number) => {
    for (let page = 0; page < pages; page += 1) {
      waited += 1;
      expect((await render(`/third/late-${waited}`)).html).toContain(`<p>late-${waited}</p>`);
    }
  };
  /** Renders a page that does not wait. Returns its path if the router rendered it. */
  const renderReady = async () => {
    byRouter.length = 0;
    expect((await render('/third/ready')).html).toContain('<p>ready</p>');
    return byRouter;
  };
  // The router renders the first page of its routes, which is not counted.
  await wait(2);
  expect(await renderReady()).toEqual([]);
  await wait(99);
  expect(await renderReady()).toEqual([]);
  await wait(100);
  expect(await renderReady()).toEqual(['/third/ready']);
  loaded.length = 0;
  await wait(1);
  expect(loaded).toHaveLength(1);
  expect(failures).toEqual([]);
});
