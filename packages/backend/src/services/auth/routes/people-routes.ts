import { peopleQuery, roleChange } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody, parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { changeRole, listPeople, presentPerson, requireEditPeople } from '../accounts/people.ts';
import type { AuthContext } from '../context.ts';
import { requireFreshProof } from '../fresh-proof/require-fresh-proof.ts';
import { MAX_AUTH_BYTES } from './limits.ts';
import { sourceOf } from './request-info.ts';
import { requireSession } from './require-session.ts';

/** Returns the routes by which a user with the permission `people.edit` sees all accounts and gives them roles. */
export function peopleRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { authenticator, notifyOwner } = context;

  routes.get('/people', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    requireEditPeople(project, user);
    const query = parseWith(peopleQuery, c.req.query());
    return c.json(await listPeople(project, query));
  });

  routes.patch('/people/:id', async (c) => {
    const session = await requireSession(c, authenticator);
    const { project, user } = session;
    requireEditPeople(project, user);
    const { role, proof } = await parseJsonBody(c, roleChange, MAX_AUTH_BYTES);
    await requireFreshProof(context, c, session, { proof });
    const source = sourceOf(c);
    const change = { personId: c.req.param('id'), role, by: user, source };
    const { person, notice, admins } = await changeRole(project, change);
    for (const admin of admins) notifyOwner(project, admin, { ...notice, device: source.device });
    return c.json({ person: presentPerson(person) });
  });
  return routes;
}
