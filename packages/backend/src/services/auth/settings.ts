import { ACCESS_TOKEN_SECONDS, MAX_ACCESS_TOKEN_SECONDS } from '@fabrica/contract';
import { z } from 'zod';
import { listSetting, onOrOff } from '../../core/settings.ts';
import type { ProviderSettings } from './providers/provider-settings.ts';

export const authSettings = {
  ACCESS_TOKEN_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(MAX_ACCESS_TOKEN_SECONDS)
    .default(ACCESS_TOKEN_SECONDS)
    .describe('Seconds that an access token is valid; clients refresh it by themselves.'),
  SESSION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_650)
    .default(90)
    .describe(
      'Days after which a session ends even if it is used daily, for sign-ins from then on; 0 is never. Unused, it ends after 30.',
    ),
  REQUIRE_VERIFIED_EMAIL: onOrOff
    .default(false)
    .describe('`on` lets nobody sign in whose e-mail address is not verified.'),
  BREACHED_PASSWORDS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Refuses new passwords that this list knows from breaches, such as `https://api.pwnedpasswords.com`; it gets five characters of their hash. Without it, or when it does not answer, no list is asked.',
    ),
  SECOND_FACTOR_ROLES: listSetting.describe(
    'Roles, separated by commas, whose accounts have to have a second factor. They set it up at their next sign-in, before anything else. Default: none has to.',
  ),
  NEW_ACCOUNT_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(60)
    .describe(
      'Minutes for which an account has the small budgets of new ones; with a mail server, it also has them until its e-mail address is verified. 0 gives every account the usual ones.',
    ),
};

/** Settings of identity providers: any number of them, each under a name of its own. */
export const providerSettings: Readonly<Record<string, string>> = {
  'OAUTH_<PROVIDER>_CLIENT_ID':
    'Offers sign-in with this provider: `GOOGLE`, `MICROSOFT`, `APPLE`, `GITHUB`, or any OpenID Connect issuer under a name of your choice.',
  'OAUTH_<PROVIDER>_CLIENT_SECRET':
    'Its client secret. For Apple, `OAUTH_APPLE_TEAM_ID`, `_KEY_ID` and `_PRIVATE_KEY` may take its place.',
  'OAUTH_<PROVIDER>_ISSUER': 'The URL of the issuer; the four that are named above need none.',
  'OAUTH_<PROVIDER>_LABEL': 'The label of its button.',
};

export interface AuthSettings {
  /** Seconds that an access token is valid. */
  accessTokenSeconds: number;
  /** Days after which a session ends even if it is used; 0 for never. */
  sessionDays: number;
  /** Whether only users with a verified e-mail may sign in. */
  requireVerifiedEmail: boolean;
  /** The list of breached passwords, without a slash at its end; `undefined` for none. */
  breachedPasswordsUrl?: string | undefined;
  /** Whether mails reach anybody. Without a mail server, nobody can verify an e-mail by themselves. */
  sendsMail: boolean;
  /** Roles whose accounts have to have a second factor. */
  secondFactorRoles: readonly string[];
  /** Codes of authenticator apps that may be typed for an account in a day: 30, or fewer in tests. */
  secondFactorTries?: number;
  /** Minutes for which an account counts as new. */
  newAccountMinutes: number;
  providers: readonly ProviderSettings[];
}

/** Paths of the product's pages for sign-in. */
export interface AuthPages {
  signIn: string;
  /** The page that finishes a sign-in at an identity provider. */
  completeSignIn: string;
  verifyEmail: string;
  magicLink: string;
  resetPassword: string;
}
