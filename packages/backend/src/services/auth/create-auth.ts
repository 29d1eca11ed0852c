import type { Hono } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import type { PostOffice, RenderMail } from '../../mail/index.ts';
import type { AuthContext } from './context.ts';
import { createAuthMails } from './mail-links/auth-mails.ts';
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts';
import { authRoutes } from './routes/routes.ts';
import { type Authenticator, createAuthenticator } from './sessions/authenticate.ts';

export interface Auth {
  /** To be mounted at `/api/auth`; they read `clientAddress` of the request's variables. */
  routes: Hono<AppEnvironment>;
  authenticate: Authenticator['authenticate'];
}

export interface AuthOptions extends Omit<AuthContext, 'authenticator' | 'passwords' | 'post'> {
  office: Pick<PostOffice, 'post'>;
  /** Puts the service's mails into words. */
  renderMail: RenderMail;
  /** One at OWASP's cost, if left out. */
  passwords?: PasswordHasher;
}

/** Accounts, sessions and tokens of all projects. */
export function createAuth({
  office,
  renderMail,
  passwords = createPasswordHasher(),
  ...options
}: AuthOptions): Auth {
  const { keys, projects, settings } = options;
  const authenticator = createAuthenticator({ keys, projects });
  const post = createAuthMails({ keys, office, render: renderMail, publicUrl: settings.publicUrl });
  const routes = authRoutes({ ...options, authenticator, post, passwords });
  return { routes, authenticate: authenticator.authenticate };
}
