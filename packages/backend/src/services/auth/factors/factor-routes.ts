import type { FactorKind, FactorList } from '@fabrica/contract';
import {
  factorRename,
  passkeyRegistration,
  provenRequest,
  provenSetUp,
  totpConfirmation,
} from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { listProofKinds, requireFreshProof } from '../fresh-proof/require-fresh-proof.ts';
import { authReader, authWriter, lockUser } from '../queries.ts';
import { limitByIp, MAX_AUTH_BYTES } from '../routes/limits.ts';
import { sourceOf } from '../routes/request-info.ts';
import { requireSession } from '../routes/require-session.ts';
import { expiredToken } from '../sessions/access-token.ts';
import { presentSignIn } from '../sessions/present-sign-in.ts';
import { type Added, addPasskey, addTotp, beginTotp, type FactorOwner, presentFactor } from './add-factor.ts';
import { countRecoveryCodes, listFactors, renameFactor } from './factor-queries.ts';
import { authenticationOptions, registrationOptions } from './passkeys.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { factorNotFound, removeFactor } from './remove-factor.ts';
import { isFactorRequired, readTicket } from './second-step.ts';

/** Returns the routes by which the owner of an account sees, adds and removes its factors. */
export function factorRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.route('/factors', setUpRoutes(context));
  routes.route('/factors', managementRoutes(context));
  return routes;
}

/** Adding takes two calls: the first asks for the proof, the second brings what the app or the browser has made of it. */
function setUpRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.post('/totp/begin', async (c) => {
    const { ticket, proof } = await parseJsonBody(c, provenSetUp, MAX_AUTH_BYTES);
    const owner = await requireOwner(context, c, ticket);
    if (!('ticket' in owner)) await requireFreshProof(context, c, owner, { proof });
    return c.json(beginTotp(context, owner));
  });

  routes.post('/totp', async (c) => {
    const { ticket, setUp, code, name } = await parseJsonBody(c, totpConfirmation, MAX_AUTH_BYTES);
    const owner = await requireOwner(context, c, ticket);
    const given = { setUp, code, name: name ?? nameOf(c, 'totp'), source: sourceOf(c) };
    return c.json(await presentAdded(context, c, owner, await addTotp(context, owner, given)));
  });

  routes.post('/passkeys/begin', async (c) => {
    const { ticket, proof } = await parseJsonBody(c, provenSetUp, MAX_AUTH_BYTES);
    const owner = await requireOwner(context, c, ticket);
    if (!('ticket' in owner)) await requireFreshProof(context, c, owner, { proof });
    return c.json({ options: await registrationOptions(context, owner.project, owner.user) });
  });

  routes.post('/passkeys', async (c) => {
    const { ticket, credential, name } = await parseJsonBody(c, passkeyRegistration, MAX_AUTH_BYTES);
    const owner = await requireOwner(context, c, ticket);
    const given = { credential, name: name ?? nameOf(c, 'passkey'), source: sourceOf(c) };
    return c.json(await presentAdded(context, c, owner, await addPasskey(context, owner, given)));
  });
  return routes;
}

function managementRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { authenticator, settings, notifyOwner } = context;

  routes.get('/', async (c) => {
    const session = await requireSession(c, authenticator);
    const { project, user } = session;
    const reader = authReader(project.database);
    const list: FactorList = {
      factors: (await listFactors(reader, user.id)).map(presentFactor),
      recoveryCodesLeft: await countRecoveryCodes(reader, user.id),
      required: isFactorRequired(settings, user),
      proofs: await listProofKinds(session),
      hasPassword: user.password_hash !== null,
    };
    return c.json(list);
  });

  routes.post('/proof-options', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    return c.json({ options: await authenticationOptions(context, project, 'proof', user.id) });
  });

  routes.post('/recovery-codes', async (c) => {
    const session = await requireSession(c, authenticator);
    const { proof } = await parseJsonBody(c, provenRequest, MAX_AUTH_BYTES);
    await requireFreshProof(context, c, session, { proof });
    const { project, user } = session;
    const source = sourceOf(c);
    const recoveryCodes = await authWriter(project.database)
      .transaction()
      .execute(async (transaction) => {
        await lockUser(transaction, user.id);
        if ((await listFactors(transaction, user.id)).length === 0) throw factorNotFound();
        await recordEvent(transaction, { event: 'recovery-codes-made', userId: user.id, ...source });
        return makeRecoveryCodes(context.keys, transaction, user.id);
      });
    notifyOwner(project, user, { kind: 'recovery-codes-made', device: source.device });
    return c.json({ recoveryCodes });
  });

  routes.patch('/:id', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    const { name } = await parseJsonBody(c, factorRename, MAX_AUTH_BYTES);
    const key = { userId: user.id, id: c.req.param('id') };
    const row = await renameFactor(authWriter(project.database), key, name);
    if (!row) throw factorNotFound();
    return c.json({ factor: presentFactor(row) });
  });

  routes.delete('/:id', async (c) => {
    const session = await requireSession(c, authenticator);
    const { proof } = await parseJsonBody(c, provenRequest, MAX_AUTH_BYTES);
    await requireFreshProof(context, c, session, { proof });
    const { project, user } = session;
    await removeFactor(context, project, { user, id: c.req.param('id'), source: sourceOf(c) });
    return c.json({ success: true });
  });
  return routes;
}

/**
 * Returns whose factor is added: that of the session, or of the ticket of a sign-in that asks for the first one. Throws
 * `EMAIL_NOT_VERIFIED` where mails could verify the e-mail: whoever signed up with somebody else's would lock them out.
 */
async function requireOwner(
  context: AuthContext,
  c: Context<AppEnvironment>,
  ticket: string | undefined,
): Promise<FactorOwner> {
  const owner = await findOwner(context, c, ticket);
  if (!context.settings.sendsMail || owner.user.email_verified === 1) return owner;
  throw new AppError(
    'EMAIL_NOT_VERIFIED',
    'Please verify your email address before you set up a second factor.',
  );
}

async function findOwner(
  context: AuthContext,
  c: Context<AppEnvironment>,
  ticket: string | undefined,
): Promise<FactorOwner> {
  if (ticket === undefined) return requireSession(c, context.authenticator);
  await limitByIp(context.limits, 'proof', c.var.clientIp);
  const firstStep = await readTicket(context, ticket);
  c.set('project', firstStep.project);
  if (!firstStep.setUp) throw expiredToken();
  return { ...firstStep, ticket };
}

async function presentAdded(
  context: AuthContext,
  c: Context<AppEnvironment>,
  { project }: FactorOwner,
  { session, ...added }: Added,
) {
  return session ? { ...added, ...(await presentSignIn(context, c, project, session)) } : added;
}

/** Returns the name of a factor that was given none: browser and system in words, or what it is. */
function nameOf(c: Context<AppEnvironment>, kind: FactorKind): string {
  return (kind === 'passkey' && sourceOf(c).device) || { passkey: 'Passkey', totp: 'App' }[kind];
}
