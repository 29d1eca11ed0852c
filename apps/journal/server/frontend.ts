import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { RenderMail, RenderNotice } from '@fabrica/backend';
import type { ServerBuild } from 'react-router';

const BUILD = new URL('../build/', import.meta.url);

/** The pages' code: built beforehand, or made by Vite on each change. */
export interface Frontend {
  mode: 'production' | 'development';
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Folder of the built files that browsers load; Vite answers for them itself in development. */
  clientFolder: string | undefined;
  /** Mails are React as well, and stand in the same build. */
  mails(): Promise<Mails>;
  close(): Promise<void>;
}

interface Mails {
  renderMail: RenderMail;
  renderNotice: RenderNotice;
}

export async function openFrontend(server: Server, mode: Frontend['mode']): Promise<Frontend> {
  if (mode === 'development') return openVite(server);
  const build = (await import(new URL('server/index.js', BUILD).href)) as ServerBuild;
  return {
    mode,
    build,
    mails: async () => mailsOf(build),
    clientFolder: fileURLToPath(new URL('client', BUILD)),
    close: async () => {},
  };
}

async function openVite(server: Server): Promise<Frontend> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: fileURLToPath(new URL('..', import.meta.url)),

    server: { middlewareMode: true, hmr: { server } },
  });
  // Vite answers for what it knows of and leaves the rest to the listener that was there.
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

/** What `app/entry.server.tsx` exports beside the pages' own handler. */
function mailsOf({ entry }: ServerBuild): Mails {
  return entry.module as unknown as Mails;
}
