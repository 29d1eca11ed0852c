import type { PublicMessages } from '../en/public.ts';
import { about } from './about.ts';
import { contact } from './contact.ts';
import { gallery } from './gallery.ts';
import { layout } from './layout.ts';
import { notFound } from './not-found.ts';
import { post } from './post.ts';

/** The texts of the pages that everyone may read. */
export const publicMessages: PublicMessages = {
  about,
  contact,
  gallery,
  layout,
  notFound,
  post,
};
