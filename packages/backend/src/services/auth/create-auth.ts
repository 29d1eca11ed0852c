import type { Hono } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import type { MailQueue, RenderMail } from '../../mail/index.ts';
import type { AuthContext } from './context.ts';
import { createAuthMails } from './mail-links/auth-mails.ts';
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts';
import { createProviders } from './providers/index.ts';
import { authRoutes } from './routes/routes.ts';
import { type Authenticator, createAuthenticator } from './sessions/authenticate.ts';

export interface Auth {
  /** To be mounted at `/api/auth`; they read `clientIp` of the request's variables. */
  routes: Hono<AppEnvironment>;
  authenticate: Authenticator['authenticate'];
  /** The identity providers, with the names that people know them by. */
  providers: readonly { id: string; label: string }[];
}

export interface AuthOptions extends Omit<AuthContext, 'authenticator' | 'passwords' | 'post' | 'providers'> {
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  /** Puts the service's mails into words. */
  renderMail: RenderMail;
  /** A hasher at OWASP's cost by default. */
  passwords?: PasswordHasher;
  /** The providers that the settings name, by default. */
  providers?: AuthContext['providers'];
}

/** Accounts, sessions and tokens of all projects. */
export function createAuth({
  mailQueue,
  renderMail,
  passwords = createPasswordHasher(),
  providers: given,
  ...options
}: AuthOptions): Auth {
  const providers = given ?? createProviders(options.settings.providers);
  const { keys, projects, publicUrl, pages } = options;
  const authenticator = createAuthenticator({ keys, projects });
  const post = createAuthMails({ keys, mailQueue, render: renderMail, publicUrl, pages });
  const routes = authRoutes({ ...options, authenticator, post, passwords, providers });
  return {
    routes,
    authenticate: authenticator.authenticate,
    providers: providers.map(({ id, label }) => ({ id, label })),
  };
}
