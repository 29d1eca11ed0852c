import type { SecondStep } from '@fabrica/contract';
import {
  passkeyOptionsQuery,
  passkeySignInRequest,
  secondStepRequest,
  ticketRequest,
} from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody, parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { checkLinkCode, linkProvider } from '../providers/linking/link-proof.ts';
import { authWriter } from '../queries.ts';
import { limitByIp, MAX_AUTH_BYTES } from '../routes/limits.ts';
import { languageOf, sourceOf } from '../routes/request-info.ts';
import { requireProject } from '../routes/require-project.ts';
import { presentSignIn } from '../sessions/present-sign-in.ts';
import { signIn } from '../sessions/sign-in.ts';
import { checkFactor } from './check-factor.ts';
import { authenticationOptions, verifyPasskey } from './passkeys.ts';
import { readTicket, spendTicket, takeTry } from './second-step.ts';

/** Returns the routes for signing in with a passkey, and for the second step of every other sign-in. */
export function factorSignInRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { projects, limits } = context;

  routes.get('/signin/passkey/options', async (c) => {
    await limitByIp(limits, 'passkeyOptions', c.var.clientIp);
    const { projectId } = parseWith(passkeyOptionsQuery, c.req.query());
    const project = requireProject(c, projects, projectId);
    return c.json({ options: await authenticationOptions(context, project, 'sign-in') });
  });

  routes.post('/signin/passkey', async (c) => {
    await limitByIp(limits, 'signIn', c.var.clientIp);
    const { projectId, credential } = await parseJsonBody(c, passkeySignInRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    const source = sourceOf(c);
    const passkey = await verifyPasskey(context, project, { purpose: 'sign-in', credential }).catch(
      async (error: unknown) => {
        const details = { method: 'passkey' };
        const entry = { event: 'sign-in-failed', userId: null, ...source, details } as const;
        await recordEvent(authWriter(project.database), entry);
        throw error;
      },
    );
    const info = { ...source, language: languageOf(c, project), method: 'passkey' } as const;
    const options = { userId: passkey.user_id, secondStep: 'passkey', ...info } as const;
    return c.json(await presentSignIn(context, c, project, await signIn(context, project, options)));
  });

  routes.post('/signin/second-step/options', async (c) => {
    await limitByIp(limits, 'passkeyOptions', c.var.clientIp);
    const { ticket } = await parseJsonBody(c, ticketRequest, MAX_AUTH_BYTES);
    const { project, user } = await readTicket(context, ticket);
    c.set('project', project);
    return c.json({ options: await authenticationOptions(context, project, 'second-step', user.id) });
  });

  routes.post('/signin/second-step', async (c) => {
    await limitByIp(limits, 'proof', c.var.clientIp);
    const { ticket, code, credential } = await parseJsonBody(c, secondStepRequest, MAX_AUTH_BYTES);
    const { project, user, method, language, link, mailCode } = await readTicket(context, ticket);
    c.set('project', project);
    await takeTry(project, ticket);
    const source = sourceOf(c);
    const proof = credential ? { credential } : { code: code ?? '' };
    let secondStep: SecondStep | undefined;
    if (mailCode) await checkLinkCode(context, c, project, { user, code: code ?? '' });
    else secondStep = await checkFactor(context, project, { user, proof, purpose: 'second-step', source });
    await spendTicket(authWriter(project.database), ticket);
    if (link) await linkProvider(context, project, { user, link, source });
    const options = { userId: user.id, method, language, secondStep, ...source };
    return c.json(await presentSignIn(context, c, project, await signIn(context, project, options)));
  });
  return routes;
}
