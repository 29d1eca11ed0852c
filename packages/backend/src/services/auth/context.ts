import type { Logger } from 'pino';
import type { Bus } from '../../core/bus.ts';
import type { Keys } from '../../core/keys.ts';
import type { Project } from '../../database/project.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { QueueProofMail } from './fresh-proof/proof-mail.ts';
import type { QueueAuthMail } from './mail-links/auth-mails.ts';
import type { NotifyOwner } from './owner-notices/notify-owner.ts';
import type { RequireUnbreached } from './passwords/breached-passwords.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { IdentityProvider } from './providers/identity-provider.ts';
import type { Authenticator } from './sessions/authenticate.ts';
import type { DeviceCookies } from './sessions/device-cookie.ts';
import type { AuthPages, AuthSettings } from './settings.ts';

/** The dependencies of this service's routes. */
export interface AuthContext {
  projects: ReadonlyMap<string, Project>;
  keys: Keys;
  limits: RateLimits;
  bus: Bus;
  log: Logger;
  passwords: PasswordHasher;
  requireUnbreached: RequireUnbreached;
  authenticator: Authenticator;
  devices: DeviceCookies;
  settings: AuthSettings;
  /** The origin of the product, without a trailing slash. */
  publicUrl: string;
  pages: AuthPages;
  providers: readonly IdentityProvider[];
  /** Queues a mail. The time of the response does not depend on whether the account exists. */
  queueMail: QueueAuthMail;
  queueProofMail: QueueProofMail;
  notifyOwner: NotifyOwner;
  /** Returns whether pages of this URL's origin may receive the project's tokens. */
  isAllowedOrigin(url: string, projectId: string): boolean;
}
