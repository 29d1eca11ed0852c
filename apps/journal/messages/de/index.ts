import type { Messages } from '../en/index.ts';
import { memberMessages } from './member.ts';
import { publicMessages } from './public.ts';

export const messages: Messages = { ...publicMessages, ...memberMessages };
