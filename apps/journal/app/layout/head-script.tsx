import { createContext, use } from 'react';
import { LANGUAGE_OFFER_SCRIPT } from '../language/language-offer.tsx';
import { HOLD_LIKES_SCRIPT } from '../post/likes/wanted-likes.ts';
import { PAGE_ADDRESS_SCRIPT } from './page-address.ts';
import { THEME_SCRIPT } from './theme.ts';

/** Marks a document that was loaded again or by going back, whose reader is brought back to a place on it. */
const MARK_RELOAD_SCRIPT = `if(performance.getEntriesByType('navigation')[0]?.type!=='navigate')document.documentElement.dataset.again=''`;

const HEAD_SCRIPT = `${PAGE_ADDRESS_SCRIPT};${THEME_SCRIPT};${LANGUAGE_OFFER_SCRIPT};${MARK_RELOAD_SCRIPT};${HOLD_LIKES_SCRIPT}`;

/** Holds the nonce of inline scripts while a page is rendered on the server; in the browser there is none. */
export const ScriptNonce = createContext<string | undefined>(undefined);

/**
 * Renders the script that runs before anything is painted. The page's policy allows it by its hash, for which the server
 * finds it by the nonce (see `server/security-headers.ts`).
 */
export function HeadScript() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the scripts are constants.
  return <script nonce={use(ScriptNonce)} dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} />;
}
