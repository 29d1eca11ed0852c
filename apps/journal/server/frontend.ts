import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from 'react-router';
import type { RenderMail, RenderNotice } from '../app/mails/mail-content.ts';

const BUILD = new URL('../build/', import.meta.url);

/** Gives access to the pages' code, which is built before or by Vite after each change. */
export interface Frontend {
  mode: 'production' | 'development';
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Folder of the built files that browsers load; `undefined` in development, where Vite serves them. */
  clientFolder: string | undefined;
  /** Returns the functions that render mails, which are React components in the same build. */
  mails(): Promise<Mails>;
  close(): Promise<void>;
}

interface Mails {
  renderMail: RenderMail;
  renderNotice: RenderNotice;
}

/** Loads the build, or starts Vite in development. */
export async function openFrontend(server: Server, mode: Frontend['mode']): Promise<Frontend> {
  if (mode === 'development') return openVite(server);
  const build = withFewPreloads(await loadBuild());
  return {
    mode,
    build,
    mails: async () => mailsOf(build),
    clientFolder: fileURLToPath(new URL('client', BUILD)),
    close: async () => {},
  };
}

/** Loads the functions that render mails from the build, for a process that serves no pages. */
export async function loadMails(): Promise<Mails> {
  return mailsOf(await loadBuild());
}

function loadBuild(): Promise<ServerBuild> {
  return import(new URL('server/index.js', BUILD).href);
}

/** Matches the routes whose pages have their content by their scripts. */
const WRITTEN_BY_SCRIPTS = /^(?:admin|account)(?:\/|$)/;

/**
 * Has pages that can be read without scripts preload no module that another one imports. On a slow line, those would share the connection
 * with the style sheet, the fonts and the artwork, which came 0.4 s later. Browsers find them in the others, and run them as soon.
 */
function withFewPreloads({ assets, ...build }: ServerBuild): ServerBuild {
  const routes = Object.entries(assets.routes).map(([id, route]) => [
    id,
    route && !WRITTEN_BY_SCRIPTS.test(route.path ?? '') ? { ...route, imports: [] } : route,
  ]);
  const entry = { ...assets.entry, imports: [] };
  return { ...build, assets: { ...assets, entry, routes: Object.fromEntries(routes) } };
}

async function openVite(server: Server): Promise<Frontend> {
  const { createServer } = await import('vite');
  // `node --watch` says by this variable that it follows imports: Vite writes copies of its settings, imports and removes them.
  const { env } = process;
  const { WATCH_REPORT_DEPENDENCIES } = env;
  delete env.WATCH_REPORT_DEPENDENCIES;
  const vite = await createServer({
    root: fileURLToPath(new URL('..', import.meta.url)),
    server: { middlewareMode: true, hmr: { server } },
  });
  Object.assign(env, WATCH_REPORT_DEPENDENCIES && { WATCH_REPORT_DEPENDENCIES });
  // Vite serves its own modules and passes everything else to the previous listener.
  const [listener] = server.listeners('request') as ((...exchange: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    vite.middlewares(request, response, () => listener?.(request, response));
  });
  const build = () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>;
  return {
    mode: 'development',
    build,
    mails: async () => mailsOf(await build()),
    clientFolder: undefined,
    close: () => vite.close(),
  };
}

/** Returns the functions that `app/entry.server.tsx` exports beside its own handler. */
function mailsOf({ entry }: ServerBuild): Mails {
  return entry.module as unknown as Mails;
}
