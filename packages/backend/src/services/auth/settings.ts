import { ACCESS_TOKEN_SECONDS, MAX_ACCESS_TOKEN_SECONDS } from '@fabrica/contract';
import { z } from 'zod';
import { onOrOff } from '../../core/settings.ts';
import type { ProviderSettings } from './providers/provider-settings.ts';

export const authSettings = {
  ACCESS_TOKEN_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(MAX_ACCESS_TOKEN_SECONDS)
    .default(ACCESS_TOKEN_SECONDS)
    .describe('Seconds that an access token is valid; clients refresh it by themselves.'),
  REQUIRE_VERIFIED_EMAIL: onOrOff
    .default(false)
    .describe('`on` lets nobody sign in whose e-mail address is not verified.'),
  NEW_ACCOUNT_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(60)
    .describe(
      'Minutes for which an account has the small budgets of new ones, as it has until its e-mail address is verified; 0 gives every account the usual ones.',
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
  /** Whether only users with a verified e-mail may sign in. */
  requireVerifiedEmail: boolean;
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
