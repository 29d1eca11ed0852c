import { type AppEnvironment, parseJsonBody, type RateLimit, readBytes, requireUser } from '@fabrica/backend';
import type { Hono } from 'hono';
import { requireAuthor } from '../../access.ts';
import type { DeskContext } from '../../desk-context.ts';
import { MAX_XML_BYTES } from '../exchange/read-xml.ts';
import { readTbx, writeTbx } from '../exchange/tbx.ts';
import { reviewerOf } from '../requests.ts';
import { listTerms } from './term-rows.ts';
import { addTerm, changeTerm, deleteTerm, importTerms, termBody } from './terms.ts';

const WRITES: RateLimit = { name: 'desk:terms', points: 120, duration: 60 };
const IMPORTS: RateLimit = { name: 'desk:imports', points: 20, duration: 60 };

const TBX = 'application/x-tbx+xml; charset=utf-8';

/** Adds the glossary, which authors read and reviewers write. */
export function addGlossaryRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  routes.get('/translations/terms', async (c) => {
    requireAuthor(requireUser(c.var.caller));
    return c.json({ terms: await listTerms(desk.project) });
  });
  routes.post('/translations/terms', async (c) => {
    const { id } = reviewerOf(c);
    await desk.limits.consume(WRITES, id);
    return c.json(await addTerm(desk, id, await parseJsonBody(c, termBody)), 201);
  });
  routes.put('/translations/terms/:term', async (c) => {
    const { id: userId } = reviewerOf(c);
    await desk.limits.consume(WRITES, userId);
    const body = await parseJsonBody(c, termBody);
    return c.json(await changeTerm(desk, { userId, id: c.req.param('term'), body }));
  });
  routes.delete('/translations/terms/:term', async (c) => {
    const { id } = reviewerOf(c);
    await desk.limits.consume(WRITES, id);
    await deleteTerm(desk, c.req.param('term'));
    return c.body(null, 204);
  });
  routes.get('/translations/terms.tbx', async (c) => {
    requireAuthor(requireUser(c.var.caller));
    const file = writeTbx(await listTerms(desk.project), new URL(desk.publicUrl).hostname);
    return c.body(file, 200, {
      'content-type': TBX,
      'content-disposition': 'attachment; filename="terms.tbx"',
    });
  });
  routes.post('/translations/terms.tbx', async (c) => {
    const { id } = reviewerOf(c);
    await desk.limits.consume(IMPORTS, id);
    return c.json(await importTerms(desk, id, readTbx(await readBytes(c, MAX_XML_BYTES))));
  });
}
