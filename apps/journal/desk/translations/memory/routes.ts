import { type AppEnvironment, type RateLimit, readBytes } from '@fabrica/backend';
import type { Hono } from 'hono';
import type { DeskContext } from '../../desk-context.ts';
import { MAX_XML_BYTES } from '../exchange/read-xml.ts';
import { readTmx, writeTmx } from '../exchange/tmx.ts';
import { reviewerOf } from '../requests.ts';
import { exportMemory, importMemory } from './import-memory.ts';

const IMPORTS: RateLimit = { name: 'desk:imports', points: 20, duration: 60 };

const TMX = 'application/x-tmx+xml; charset=utf-8';

/** Adds the memory as a file. It has texts of posts that are not published, so that only reviewers get it. */
export function addMemoryRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  routes.get('/translations/memory.tmx', async (c) => {
    reviewerOf(c);
    const file = writeTmx(await exportMemory(desk));
    return c.body(file, 200, {
      'content-type': TMX,
      'content-disposition': 'attachment; filename="memory.tmx"',
    });
  });
  routes.post('/translations/memory.tmx', async (c) => {
    const { id } = reviewerOf(c);
    await desk.limits.consume(IMPORTS, id);
    return c.json(await importMemory(desk, id, readTmx(await readBytes(c, MAX_XML_BYTES))));
  });
}
