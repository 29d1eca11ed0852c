/** The browser remembers under this key that its reader has closed the offer, or has chosen a language. */
export const OFFER_KEY = 'fabrica_language_offer';

/** Withdraws the offer of another language, now and on later visits. */
export function closeLanguageOffer(): void {
  delete document.documentElement.dataset.offer;
  try {
    localStorage.setItem(OFFER_KEY, 'closed');
  } catch {
    // Local storage is not available: the offer comes again with the next document.
  }
}
