import { isLanguage, type Language } from './languages.ts';

const KEY = 'fabrica_language';
const YEAR_SECONDS = 31_536_000;

/** The reader's earlier choice, if this browser keeps one. */
export function readKeptLanguage(): Language | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return isLanguage(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice for the browser's next visit (local storage) and for the server (cookie). */
export function keepLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we serve.
  document.cookie = `${KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; SameSite=Lax`;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage is closed to us: the cookie alone keeps the choice.
  }
}
