import { commentList, commentRemove } from './comment-commands.ts';
import { demoRemove } from './demo/remove-demo.ts';
import { siteGet, siteSet } from './site-commands.ts';

/** The journal's own commands, beside those of the backend. */
export const journalCommands = [siteGet, siteSet, commentList, commentRemove, demoRemove];
