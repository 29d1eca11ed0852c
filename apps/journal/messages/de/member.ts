import type { MemberMessages } from '../en/member.ts';
import { account } from './account.ts';
import { authMail } from './auth-mail-pages.ts';
import { factors } from './factors.ts';
import { publish } from './publish.ts';
import { signIn } from './sign-in.ts';

/** The texts of the pages for accounts: signing in, the account itself and writing posts. */
export const memberMessages: MemberMessages = {
  account,
  authMail,
  factors,
  publish,
  signIn,
};
