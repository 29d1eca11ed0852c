import type { Messages } from '../language/load-messages.ts';
import { describeExcess, type LimitWords } from '../ui/text-limit.tsx';

export interface ContactDraft {
  name: string;
  email: string;
  message: string;
}

/** The most characters of each field. */
export const CONTACT_LIMITS: Readonly<Record<keyof ContactDraft, number>> = {
  name: 200,
  email: 254,
  message: 10_000,
};

export type ContactErrors = Partial<Record<keyof ContactDraft, string>>;

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

export function parseDraft(form: FormData): ContactDraft {
  const field = (name: keyof ContactDraft) => String(form.get(name) ?? '').trim();
  return { name: field('name'), email: field('email'), message: field('message') };
}

/** Returns an error for each invalid field; none when the draft can be sent (docs/spec/product.md section 5). */
export function validateDraft(
  draft: ContactDraft,
  m: Messages['contact'],
  limitWords: LimitWords,
): ContactErrors {
  const errors: ContactErrors = {};
  if (!draft.name) errors.name = m.nameRequired;
  if (!draft.email) errors.email = m.emailRequired;
  else if (!EMAIL.test(draft.email)) errors.email = m.emailInvalid;
  if (!draft.message) errors.message = m.messageRequired;
  for (const name of ['name', 'email', 'message'] as const) {
    const excess = describeExcess(draft[name], CONTACT_LIMITS[name], limitWords);
    if (excess) errors[name] = excess;
  }
  return errors;
}
