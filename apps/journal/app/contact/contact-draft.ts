import type { Messages } from '../language/load-messages.ts';
import { countCharacters } from '../ui/text-limit.tsx';

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

/** The name of a field that people do not see. Programs that fill in every field give themselves away by it. */
export const TRAP_FIELD = 'website';

/** Maps fields to the keys of their errors in the messages. The counter beside a field explains `tooLong`. */
export type ContactErrors = Partial<Record<keyof ContactDraft, ContactError | 'tooLong'>>;
type ContactError = Extract<keyof Messages['contact'], `${string}Required` | `${string}Invalid`>;

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

export function parseDraft(form: FormData): ContactDraft {
  const field = (name: keyof ContactDraft) => String(form.get(name) ?? '').trim();
  return { name: field('name'), email: field('email'), message: field('message') };
}

/** Returns what a form says, with an error for each invalid field. */
export function checkDraft(form: FormData) {
  const draft = parseDraft(form);
  return { draft, errors: validateDraft(draft) };
}

/** Returns an error for each invalid field; none when the draft can be sent (docs/spec/product.md section 5). */
export function validateDraft(draft: ContactDraft): ContactErrors {
  const errors: ContactErrors = {};
  if (!draft.name) errors.name = 'nameRequired';
  if (!draft.email) errors.email = 'emailRequired';
  else if (!EMAIL.test(draft.email)) errors.email = 'emailInvalid';
  if (!draft.message) errors.message = 'messageRequired';
  for (const name of ['name', 'email', 'message'] as const) {
    if (countCharacters(draft[name]) > CONTACT_LIMITS[name]) errors[name] = 'tooLong';
  }
  return errors;
}
