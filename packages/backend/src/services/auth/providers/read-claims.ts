import { z } from 'zod';
import type { Identity } from './identity-provider.ts';
import type { ProviderTraits } from './provider-settings.ts';

/** What of a provider's word we look at; anything of another type was not said. */
const claims = z.object({
  sub: z.string().min(1),
  email: z.string().min(1).nullish().catch(null),
  email_verified: z.union([z.boolean(), z.string()]).nullish().catch(null),
  /** Of Microsoft: the address is of a domain that the organisation has proved to be its own. */
  xms_edov: z.union([z.boolean(), z.string(), z.number()]).nullish().catch(null),
  name: z.string().min(1).nullish().catch(null),
  picture: z.string().min(1).nullish().catch(null),
});

/** What Apple posts beside its code, the first time only. It is not signed: good for a name and no more. */
const postedUser = z.object({
  name: z.object({
    firstName: z.string().nullish().catch(null),
    lastName: z.string().nullish().catch(null),
  }),
});

/** Claims of an ID token or of the user info → Identity. */
export function readClaims(values: unknown, traits: ProviderTraits, form?: URLSearchParams): Identity {
  const { sub, email, email_verified, xms_edov, name, picture } = claims.parse(values);
  const verified =
    // Apple writes it as a word.
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
