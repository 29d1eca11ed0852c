import { about } from './about.ts';
import { account } from './account.ts';
import { authMail } from './auth-mail-pages.ts';
import { contact } from './contact.ts';
import { gallery } from './gallery.ts';
import { layout } from './layout.ts';
import { notFound } from './not-found.ts';
import { post } from './post.ts';
import { publish } from './publish.ts';
import { signIn } from './sign-in.ts';

/** All texts of the journal by screen. The other languages must have the same keys. */
export const messages = {
  about,
  account,
  authMail,
  contact,
  gallery,
  layout,
  notFound,
  post,
  publish,
  signIn,
};

export type Messages = typeof messages;
