import { peopleQuery, roleChange } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody, parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { changeRole, listPeople, requireEditPeople } from '../accounts/people.ts';
import type { AuthContext } from '../context.ts';
import { MAX_AUTH_BYTES } from './limits.ts';
import { sourceOf } from './request-info.ts';
import { requireSession } from './require-session.ts';

/** Returns the routes by which a user with the permission `people.edit` sees all accounts and gives them roles. */
export function peopleRoutes({ authenticator }: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.get('/people', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    requireEditPeople(project, user);
    const query = parseWith(peopleQuery, c.req.query());
    return c.json(await listPeople(project, query));
  });

  routes.patch('/people/:id', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    requireEditPeople(project, user);
    const { role } = await parseJsonBody(c, roleChange, MAX_AUTH_BYTES);
    const change = { personId: c.req.param('id'), role, by: user, source: sourceOf(c) };
    return c.json({ person: await changeRole(project, change) });
  });
  return routes;
}
