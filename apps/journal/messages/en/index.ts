import { type MemberMessages, memberMessages } from './member.ts';
import { type PublicMessages, publicMessages } from './public.ts';

/** All texts of the journal by screen. The other languages must have the same keys. */
export interface Messages extends PublicMessages, MemberMessages {}

export const messages: Messages = { ...publicMessages, ...memberMessages };
