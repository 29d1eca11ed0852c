import { createContext, use } from 'react';
import { HOLD_LIKES_SCRIPT } from '../post/likes/wanted-likes.ts';
import { THEME_SCRIPT } from './theme.ts';

/** Holds the nonce of inline scripts while a page is rendered on the server; in the browser there is none. */
export const ScriptNonce = createContext<string | undefined>(undefined);

/**
 * Renders the script that runs before anything is painted. The page's policy allows it by its hash, for which the server
 * finds it by the nonce (see `server/security-headers.ts`).
 */
export function HeadScript() {
  const script = `${THEME_SCRIPT};${HOLD_LIKES_SCRIPT}`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the scripts are constants.
  return <script nonce={use(ScriptNonce)} dangerouslySetInnerHTML={{ __html: script }} />;
}
