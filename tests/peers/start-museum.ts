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

/** Starts the product as a process of its own, with the project `museum/museum.ts` beside the journal. */
export async function startMuseum(): Promise<Museum> {
  const { url, dataDir, close } = await startServer({
    PROJECTS_DIR: fileURLToPath(new URL('museum', import.meta.url)),
    DEMO: 'off',
    RATE_LIMIT: 'off',
  });
  const secretKey = (await readFile(join(dataDir, 'keys', 'project-museum.secret'), 'utf8')).trim();
  return { url, secretKey, close };
}
