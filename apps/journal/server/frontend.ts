import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from 'react-router';

const BUILD = new URL('../build/', import.meta.url);

/** The pages' code: built beforehand, or made by Vite on each change. */
export interface Frontend {
  mode: 'production' | 'development';
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Folder of the built files that browsers load; Vite answers for them itself in development. */
  clientFolder: string | undefined;
  close(): Promise<void>;
}

export async function openFrontend(server: Server, mode: Frontend['mode']): Promise<Frontend> {
  if (mode === 'development') return openVite(server);
  return {
    mode,
    build: (await import(new URL('server/index.js', BUILD).href)) as ServerBuild,
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
  return {
    mode: 'development',
    build: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
    clientFolder: undefined,
    close: () => vite.close(),
  };
}
