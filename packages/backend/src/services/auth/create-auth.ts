import type { SignInResponse } from '@fabrica/contract';
import type { Hono } from 'hono';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { MailQueue, RenderMail } from '../../mail/index.ts';
import type { Meter } from '../../runtime/meter.ts';
import type { AuthContext } from './context.ts';
import { createProofMails } from './fresh-proof/proof-mail.ts';
import { createAuthMails } from './mail-links/auth-mails.ts';
import { createOwnerNotices } from './owner-notices/notify-owner.ts';
import { createBreachCheck } from './passwords/breached-passwords.ts';
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts';
import { createProviders } from './providers/create-providers.ts';
import { createRefusalRecorder, type RecordRefusal } from './record-refusal.ts';
import { authRoutes } from './routes/routes.ts';
import { type Authenticator, createAuthenticator } from './sessions/authenticate.ts';
import { createDeviceCookies } from './sessions/device-cookie.ts';
import { resumeSession } from './sessions/resume-session.ts';

export interface Auth {
  /** Mounted at `/api/auth`. The routes read the context variable `clientIp`. */
  routes: Hono<AppEnvironment>;
  authenticate: Authenticator['authenticate'];
  recordRefusal: RecordRefusal;
  /** Returns the tokens of a session by its refresh token, which is not spent; `undefined` when it is not valid. */
  resumeSession(refreshToken: string): Promise<SignInResponse | undefined>;
  /** The identity providers and their labels, in the operator's order. */
  providers: readonly { id: string; label: string }[];
}

interface AuthOptions
  extends Omit<
    AuthContext,
    | 'authenticator'
    | 'devices'
    | 'passwords'
    | 'queueMail'
    | 'queueProofMail'
    | 'requireUnbreached'
    | 'notifyOwner'
    | 'providers'
  > {
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  /** Renders the service's mails. */
  renderMail: RenderMail;
  /** Fetches the list of breached passwords. */
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  /** Default: a hasher with OWASP's cost. */
  passwords?: PasswordHasher;
  meter?: Meter | undefined;
  /** Default: the providers of the settings. */
  providers?: AuthContext['providers'];
}

/** Creates the auth service: accounts, sessions and tokens of all projects. */
export function createAuth({
  mailQueue,
  renderMail,
  fetcher,
  meter,
  passwords = createPasswordHasher({ meter }),
  providers: given,
  ...options
}: AuthOptions): Auth {
  const providers = given ?? createProviders(options.settings.providers);
  const { keys, projects, publicUrl, pages } = options;
  const authenticator = createAuthenticator({
    keys,
    projects,
    secondFactorRoles: options.settings.secondFactorRoles,
    publicUrl,
  });
  const mails = { keys, limits: options.limits, mailQueue, render: renderMail, publicUrl };
  const routes = authRoutes({
    ...options,
    authenticator,
    devices: createDeviceCookies({ keys, publicUrl, paths: ['/api/auth', pages.signIn] }),
    queueMail: createAuthMails({ ...mails, pages }),
    queueProofMail: createProofMails(mails),
    notifyOwner: createOwnerNotices(mails),
    passwords,
    requireUnbreached: createBreachCheck({
      url: options.settings.breachedPasswordsUrl,
      fetcher,
      log: options.log,
    }),
    providers,
  });
  return {
    routes,
    authenticate: authenticator.authenticate,
    recordRefusal: createRefusalRecorder(options),
    resumeSession: (refreshToken) => resumeSession(options, refreshToken),
    providers: providers.map(({ id, label }) => ({ id, label })),
  };
}
