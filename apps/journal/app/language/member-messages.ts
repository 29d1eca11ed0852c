import { DEFAULT_LANGUAGE, isLanguage } from '../../project/languages.ts';
import { loadMemberMessages } from './load-messages.ts';

/**
 * Holds up the pages that import this module until the texts of the pages for accounts are loaded: signing in, the account
 * and writing posts. Other pages do without them.
 */
if (typeof document !== 'undefined') {
  const { lang } = document.documentElement;
  await loadMemberMessages(isLanguage(lang) ? lang : DEFAULT_LANGUAGE);
}
