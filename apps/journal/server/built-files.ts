import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Encoding, preferredEncoding, share } from '@fabrica/backend';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { PLAIN_HEADERS } from './security-headers.ts';

const CACHE_FOR_YEAR = 'public, max-age=31536000, immutable';
const CACHE_FOR_HOUR = 'public, max-age=3600';
/** The ends of the names of the copies that the build has compressed. */
const COPIES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** The files of the build that browsers load. */
interface BuiltFiles {
  has(path: string): boolean;
  /** Responds with a file, compressed where the build has done so; undefined for one that there is no such. */
  serve(c: Context): Promise<Response | undefined>;
}

/** Lists the files of the build, which do not change while this process runs. */
export function listBuiltFiles(folder: string): BuiltFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name))}`);
  const all = new Set(names);
  const paths = new Set(names.filter((name) => !/\.(br|gz)$/.test(name)));
  return {
    has: (path) => paths.has(path),
    async serve(c) {
      const { path } = c.req;
      if (!paths.has(path)) return undefined;
      const wanted = preferredEncoding(c.req.header('accept-encoding'));
      const encoding = wanted && all.has(path + COPIES[wanted]) ? wanted : undefined;
      const body = await readFile(join(folder, path + (encoding ? COPIES[encoding] : '')));
      share(c, { isCurrent: () => true, isKeptAtOnce: true, body });
      return c.body(body, 200, {
        'Content-Type': getMimeType(path) ?? 'application/octet-stream',
        'Content-Length': String(body.byteLength),
        'Cache-Control': path.startsWith('/assets/') ? CACHE_FOR_YEAR : CACHE_FOR_HOUR,
        ...PLAIN_HEADERS,
        ...(all.has(`${path}.br`) && { Vary: 'Accept-Encoding' }),
        ...(encoding && { 'Content-Encoding': encoding }),
      });
    },
  };
}
