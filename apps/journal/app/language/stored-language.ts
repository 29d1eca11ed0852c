import { isLanguage, type Language } from '../../project/languages.ts';

const KEY = 'fabrica_language';
const YEAR_SECONDS = 31_536_000;

/** Returns the reader's earlier choice, if this browser has stored one. */
export function readStoredLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a choice for the browser's next visit (local storage) and for the server (cookie). */
export function storeLanguage(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in supported browsers.
  document.cookie = `${KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Local storage is not available: the cookie alone stores the choice.
  }
}
