import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './start-server.ts';

export interface Museum {
  /** `http://localhost:<port>`. */
  url: string;
  secretKey: string;
  close(): Promise<void>;
}

/** The product as its own process, with a project beside the journal that knows nothing of it: `museum/museum.ts`. */
export async function startMuseum(): Promise<Museum> {
  const { url, dataDir, close } = await startServer({
    PROJECTS_DIR: fileURLToPath(new URL('museum', import.meta.url)),
    DEMO: 'off',
    RATE_LIMIT: 'off',
  });
  const secretKey = (await readFile(join(dataDir, 'keys', 'project-museum.secret'), 'utf8')).trim();
  return { url, secretKey, close };
}
