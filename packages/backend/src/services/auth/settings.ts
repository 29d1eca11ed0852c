import { z } from 'zod';
import { listSetting, onOrOff } from '../../core/settings.ts';
import type { ProviderSettings } from './providers/provider-settings.ts';

export const authSettings = {
  REQUIRE_VERIFIED_EMAIL: onOrOff
    .default(false)
    .describe('`on` lets nobody sign in whose e-mail address is not verified.'),
  BREACHED_PASSWORDS_URL: z
    .url({ protocol: /^(?:https?|file)$/, error: 'must be an http(s) or file address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Refuses new passwords that this list knows from breaches, such as `https://api.pwnedpasswords.com`, which gets five characters of their hash, or `file:///srv/pwned-passwords.txt`, a file with a line `<SHA-1>:<count>` each in the order of the hashes. Without it, or when it does not answer, no list is asked.',
    ),
  SECOND_FACTOR_ROLES: listSetting.describe(
    'Roles, separated by commas, whose accounts have to have a second factor. They set it up at their next sign-in, before anything else. Default: none has to.',
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
  /** Seconds that an access token is valid: 900, or another number in tests. */
  accessTokenSeconds?: number;
  /** Whether only users with a verified e-mail may sign in. */
  requireVerifiedEmail: boolean;
  /** The list of breached passwords, without a slash at its end; `undefined` for none. */
  breachedPasswordsUrl?: string | undefined;
  /** Whether mails reach anybody. Without a mail server, nobody can verify an e-mail by themselves. */
  sendsMail: boolean;
  /** Words of the installation that passwords must not be made of, in lower case. */
  ownWords: readonly string[];
  /** Roles whose accounts have to have a second factor. */
  secondFactorRoles: readonly string[];
  /** Codes of authenticator apps that may be typed for an account in a day: 30, or fewer in tests. */
  secondFactorTries?: number;
  /** Milliseconds for which a refusal of too many attempts to sign in is held back, and up to twice as long: 1,000, or none in tests. */
  refusalPauseMs?: number;
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
