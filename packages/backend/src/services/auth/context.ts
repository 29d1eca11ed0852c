import type { Logger } from 'pino';
import type { Bus } from '../../core/bus.ts';
import type { Keys } from '../../core/keys.ts';
import type { Project } from '../../database/project.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { PostAuthMail } from './mail-links/auth-mails.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { IdentityProvider } from './providers/identity-provider.ts';
import type { Authenticator } from './sessions/authenticate.ts';
import type { AuthPages, AuthSettings } from './settings.ts';

/** What the routes of this service work with. */
export interface AuthContext {
  projects: ReadonlyMap<string, Project>;
  keys: Keys;
  limits: RateLimits;
  bus: Bus;
  log: Logger;
  passwords: PasswordHasher;
  authenticator: Authenticator;
  settings: AuthSettings;
  /** The origin of the product, without a trailing slash. */
  publicUrl: string;
  pages: AuthPages;
  providers: readonly IdentityProvider[];
  /** Sends a mail in the background: its answer tells nobody whether there is such an account. */
  post: PostAuthMail;
  /** May pages of this address's origin be handed tokens of the project? */
  isAllowedOrigin(address: string, projectId: string): boolean;
}
