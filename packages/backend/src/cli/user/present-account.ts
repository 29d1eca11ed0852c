import type { UserRow } from '../../services/auth/index.ts';
import { presentUser } from '../../services/auth/index.ts';
import { isoTime, presentTime } from '../program/present.ts';

export const accountHeadings = [
  'ID',
  'E-MAIL',
  'NAME',
  'ROLE',
  'VERIFIED',
  'CREATED',
  'LAST SIGN-IN',
  'DISABLED',
] as const;

/** Returns the cells under `accountHeadings`. */
export function accountCells(user: UserRow): (string | null)[] {
  return [
    user.id,
    user.email,
    user.display_name,
    user.role,
    user.email_verified ? 'yes' : 'no',
    presentTime(user.created_at),
    presentTime(user.last_sign_in_at),
    (presentTime(user.disabled_at) ?? '') + (user.hidden_at ? ', comments hidden' : '') || null,
  ];
}

/** Returns the account as its own user sees it, and the time when it was disabled. */
export function accountJson(user: UserRow) {
  return {
    ...presentUser(user),
    disabledAt: isoTime(user.disabled_at),
    commentsHiddenAt: isoTime(user.hidden_at),
  };
}
