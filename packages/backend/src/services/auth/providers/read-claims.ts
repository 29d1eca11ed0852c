import { z } from 'zod';
import type { Identity } from './identity-provider.ts';
import type { ProviderTraits } from './provider-settings.ts';

/** The claims that are read. A claim of another type counts as missing. */
const claims = z.object({
  sub: z.string().min(1),
  email: z.string().min(1).nullish().catch(null),
  email_verified: z.union([z.boolean(), z.string()]).nullish().catch(null),
  /** Microsoft: whether the organisation has proved to own the e-mail's domain. */
  xms_edov: z.union([z.boolean(), z.string(), z.number()]).nullish().catch(null),
  name: z.string().min(1).nullish().catch(null),
  picture: z.string().min(1).nullish().catch(null),
});

/**
 * The form field that Apple posts beside its code, the first time only. It is not signed, so only the name is
 * read.
 */
const postedUser = z.object({
  name: z.object({
    firstName: z.string().nullish().catch(null),
    lastName: z.string().nullish().catch(null),
  }),
});

/** Converts the claims of an ID token or of the user info to an `Identity`. */
export function readClaims(values: unknown, traits: ProviderTraits, form?: URLSearchParams): Identity {
  const { sub, email, email_verified, xms_edov, name, picture } = claims.parse(values);
  const verified =
    // Apple sends it as a string.
    email_verified === true ||
    email_verified === 'true' ||
    (traits.verifiesDomains && [true, 'true', 1, '1'].includes(xms_edov ?? false));
  return {
    subject: sub,
    email: email ?? null,
    emailVerified: verified,
    name: name ?? postedName(form?.get('user')),
    pictureUrl: picture ?? null,
  };
}

function postedName(user: string | null | undefined): string | null {
  if (!user) return null;
  try {
    const { firstName, lastName } = postedUser.parse(JSON.parse(user)).name;
    return [firstName, lastName].filter(Boolean).join(' ') || null;
  } catch {
    return null;
  }
}
