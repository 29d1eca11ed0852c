import { fileURLToPath } from 'node:url';
import { secretKeyOf } from './author.ts';
import { startServer } from './start-server.ts';

export interface Museum {
  /** `http://localhost:<port>`. */
  url: string;
  secretKey: string;
  close(): Promise<void>;
}

/** Starts the product as a process of its own, with the project `museum/museum.ts` beside the journal. */
export async function startMuseum(): Promise<Museum> {
  const server = await startServer({
    PROJECTS_DIR: fileURLToPath(new URL('museum', import.meta.url)),
    DEMO: 'off',
    RATE_LIMIT: 'off',
  });
  return { url: server.url, secretKey: await secretKeyOf(server, 'museum'), close: server.close };
}
