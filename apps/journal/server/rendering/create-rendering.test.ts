import type { Backend, Config } from '@fabrica/backend';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_SITE } from '../../app/site/site.ts';
import { compressShared } from '../document/brotli-parts.ts';
import { createRendering } from './create-rendering.ts';
import { RenderThreads } from './render-threads.ts';

const workers = import.meta.resolve('@fabrica/backend/workers');

/** Pages whose paths say what becomes of the thread that renders them. */
const SCRIPT = `
  import { serveTasks } from '${workers}';
  const server = serveTasks((id, task) => {
    if (task.kind === 'prepare') return server.reply(id, undefined);
    if (task.url.endsWith('/end')) process.exit(1);
    const page = { status: 200, headers: {}, body: 'thread', failures: [] };
    if (!task.url.endsWith('/waits')) server.reply(id, page);
  });
`;

let threads: RenderThreads;
afterEach(() => threads.close());

/** Returns a function that renders the page of a path and returns where it was done, and what is logged. */
async function openRendering(script: string) {
  const lines: string[] = [];
  const config = { projectId: 'journal', publicUrl: 'http://localhost' } as Config;
  const backend = { projects: new Map() } as unknown as Backend;
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  threads = new RenderThreads({
    workers: 1,
    build: '',
    styles: await compressShared('<style></style>'),
    settings: {
      mainProjectId: 'journal',
      publicUrl: '',
      storageOrigin: '',
      sendsMail: false,
      translatesComments: false,
      providers: [],
    },
    onFailure: (err) => log.error({ err }),
    script: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
  });
  const waiting = Promise.withResolvers<void>();
  const rendering = createRendering({
    backend,
    config,
    log,
    threads,
    readSite: async () => DEFAULT_SITE,
    sendContact: undefined,
    parseMarkdown: async () => null,
    renderPage: async (url) => {
      if (url.pathname === '/slow') await waiting.promise;
      return { status: 200, headers: {}, body: 'here' };
    },
  });
  const render = async (path: string) =>
    String(
      (await rendering.shared(new URL(path, config.publicUrl), 'en', { fetch, onRead: () => undefined }))
        .body,
    );
  /** Has three slow pages in progress until the end of the test, so that there are many. */
  const keepBusy = () => {
    for (const _ of [1, 2, 3]) render('/slow');
  };
  return { render, keepBusy, finish: waiting.resolve, lines };
}

test('pages are rendered here while they come one by one, and in a thread once there are many', async () => {
  const { render, keepBusy, finish } = await openRendering(SCRIPT);
  expect(await render('/a')).toBe('here');
  expect(threads.running).toBe(0);
  keepBusy();
  expect(await render('/b')).toBe('here');
  await expect.poll(() => threads.running).toBe(1);
  expect(await render('/c')).toBe('thread');
  finish();
});

test('a page whose thread ends in the midst of it is rendered here', async () => {
  const { render, keepBusy, finish, lines } = await openRendering(SCRIPT);
  keepBusy();
  await render('/a');
  await expect.poll(() => threads.running).toBe(1);
  expect(await render('/end')).toBe('here');
  expect(lines).toHaveLength(1);
  expect(await render('/b')).toBe('here');
  finish();
});

test('pages whose thread ends before it comes to them are rendered here', async () => {
  const { render, keepBusy, finish, lines } = await openRendering(SCRIPT);
  keepBusy();
  await render('/a');
  await expect.poll(() => threads.running).toBe(1);
  const pages = ['/waits', '/waits', '/waits', '/waits', '/b', '/end'].map(render);
  await threads.close();
  expect(await Promise.all(pages)).toEqual(pages.map(() => 'here'));
  expect(lines).toEqual([]);
  finish();
});

test('pages are rendered here when no thread can be started, which the log says', async () => {
  const { render, keepBusy, finish, lines } = await openRendering('process.exit(1)');
  keepBusy();
  expect(await render('/a')).toBe('here');
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(await render('/b')).toBe('here');
  finish();
});
