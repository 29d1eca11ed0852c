import {
  type AuthErrorCode,
  isAuthErrorCode,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '@fabrica/contract';
import { errorCode } from '../forms/error-code.ts';
import { parseCode } from '../forms/form-fields.ts';

/** What may be wrong: a refusal of the server, or what is seen before it is asked. */
export type Fault =
  | AuthErrorCode
  | 'default'
  | 'CODE_MISSING'
  | 'CODE_WRONG'
  | 'LINK_USED'
  | 'PASSWORD_MISSING';

/** In their order on the page; `form` for what belongs to no field. */
export const FAULT_PLACES = ['email', 'code', 'password', 'form'] as const;
export type Faults = Partial<Record<(typeof FAULT_PLACES)[number], Fault>>;

/** Where a form has got to: the same whether the browser or the server took the step. */
export interface MailFormState {
  /** `sent`: a mail was asked for, and its code may be typed. */
  step: 'begin' | 'sent' | 'done';
  /** Both as they were typed. */
  email: string;
  code: string;
  /** The mail was asked for once more. */
  again: boolean;
  faults: Faults;
}

export const BEGINNING: MailFormState = { step: 'begin', email: '', code: '', again: false, faults: {} };

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Has a mail sent to the address that was typed. */
export async function askForMail(
  fields: FormData,
  send: (email: string) => Promise<unknown>,
): Promise<MailFormState> {
  const email = readField(fields, 'email').trim();
  const again = readField(fields, 'intent') === 'again';
  const before: MailFormState = { ...BEGINNING, email, step: again ? 'sent' : 'begin' };
  if (!EMAIL.test(email)) return { ...before, step: 'begin', faults: { email: 'INVALID_EMAIL' } };
  return attempt(before, 'mail', async () => {
    await send(email);
    return { ...before, step: 'sent', again };
  });
}

/** Spends the code that was typed, for a new password when there is a field for one. */
export async function spendTypedCode(
  fields: FormData,
  spend: (proof: { email: string; code: string }, password: string) => Promise<unknown>,
): Promise<MailFormState> {
  const email = readField(fields, 'email').trim();
  const typed = readField(fields, 'code');
  const code = parseCode(typed);
  const before: MailFormState = { ...BEGINNING, step: 'sent', email, code: typed };
  const faults: Faults = { ...(code ? {} : { code: 'CODE_MISSING' as const }), ...passwordFaults(fields) };
  if (!code || hasFaults(faults)) return { ...before, faults };
  return attempt(before, 'code', async () => {
    await spend({ email, code }, readField(fields, 'password'));
    return { ...before, step: 'done' };
  });
}

/** Spends the token of a mail's link, for a new password when there is a field for one. */
export async function spendLink(
  fields: FormData,
  spend: (password: string) => Promise<unknown>,
): Promise<MailFormState> {
  const faults = passwordFaults(fields);
  if (hasFaults(faults)) return { ...BEGINNING, faults };
  return attempt(BEGINNING, 'link', async () => {
    await spend(readField(fields, 'password'));
    return { ...BEGINNING, step: 'done' };
  });
}

export function hasFaults(faults: Faults): boolean {
  return Object.keys(faults).length > 0;
}

/** What the server was sent. */
type Sent = 'mail' | 'code' | 'link';

/** What the server says of a thing that is not as it should be. */
const REFUSED: Record<Sent, Faults> = {
  mail: { email: 'INVALID_EMAIL' },
  code: { code: 'CODE_WRONG' },
  link: { form: 'LINK_USED' },
};

async function attempt(
  before: MailFormState,
  sent: Sent,
  act: () => Promise<MailFormState>,
): Promise<MailFormState> {
  try {
    return await act();
  } catch (error) {
    return { ...before, faults: faultsOf(error, sent) };
  }
}

/** The server's refusal, beside what it speaks of. */
function faultsOf(error: unknown, sent: Sent): Faults {
  const code = errorCode(error);
  switch (code) {
    case 'VERIFICATION_FAILED':
    case 'MAGIC_LINK_EXPIRED':
    case 'INVALID_EMAIL':
    // Too long to be one, say.
    case 'VALIDATION_FAILED':
      return REFUSED[sent];
    case 'WEAK_PASSWORD':
      return { password: code };
    default:
      return { form: isAuthErrorCode(code) ? code : 'default' };
  }
}

function passwordFaults(fields: FormData): Faults {
  if (!fields.has('password')) return {};
  const password = readField(fields, 'password');
  if (!password) return { password: 'PASSWORD_MISSING' };
  const { length } = Array.from(password);
  return length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH ? { password: 'WEAK_PASSWORD' } : {};
}

function readField(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
