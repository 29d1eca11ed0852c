import {
  type AppEnvironment,
  AppError,
  parseWith,
  type RateLimit,
  requireUser,
  type Service,
  type ServiceParts,
} from '@fabrica/backend';
import { Hono } from 'hono';
import { z } from 'zod';
import { requireAuthor } from '../desk/access.ts';
import { CATALOGUES, type Catalogues, lookUpSource, parseIdentifier } from './look-up-source.ts';

const LOOK_UPS: RateLimit = { name: 'references', points: 60, duration: 60 };

const query = z.object({ identifier: z.string().trim().min(1).max(2_000) });

interface ReferencesOptions {
  /** The id of the journal's project. */
  projectId: string;
  catalogues?: Catalogues;
}

/** Returns the factory of the service at `/api/references/{projectId}`, which looks references up for authors. */
export function createReferences({
  projectId,
  catalogues = CATALOGUES,
}: ReferencesOptions): (parts: ServiceParts) => Service {
  return ({ limits, fetcher, spendOutgoing }) => {
    const routes = new Hono<AppEnvironment>();
    routes.get('/source', async (c) => {
      if (c.var.project.definition.id !== projectId) {
        throw new AppError('NOT_FOUND', 'There is nothing at this address.');
      }
      const caller = requireUser(c.var.caller);
      requireAuthor(caller);
      await limits.consume(LOOK_UPS, caller.id);
      const { identifier } = parseWith(query, c.req.query());
      const parsed = parseIdentifier(identifier);
      if (!parsed) throw new AppError('VALIDATION_FAILED', 'This is neither a DOI nor a PubMed id.');
      await spendOutgoing(c.var.project, caller);
      const { signal } = c.req.raw;
      const source = await lookUpSource(parsed, { catalogues, fetcher, account: caller.id, signal });
      return c.json({ source }, 200, { 'cache-control': 'private, max-age=3600' });
    });
    return { routes, close: async () => undefined };
  };
}
