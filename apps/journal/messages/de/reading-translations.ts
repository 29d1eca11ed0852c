import type { readingTranslations as source } from '../en/reading-translations.ts';

export const readingTranslations: typeof source = {
  title: 'Titel',
  original: 'Original',
  originalIn: (language) => `Original auf ${language}`,
  report: 'Fehler melden',
  named: (button, passage) => `${button}: „${passage}“`,
  removed: 'Das Original enthält diese Stelle nicht mehr.',
  form: {
    quote: 'Die Stelle',
    message: 'Was stimmt daran nicht?',
    hint: 'Sie brauchen kein Konto. Bitte schreiben Sie nichts über Ihre eigene Gesundheit.',
    missing: 'Bitte schreiben Sie, was nicht stimmt.',
    send: 'Meldung senden',
    sending: 'Wird gesendet …',
    cancel: 'Abbrechen',
    close: 'Schließen',
    thanks: 'Vielen Dank! Wer diese Übersetzung prüft, sieht Ihre Meldung.',
    failed: 'Die Meldung konnte nicht gesendet werden. Ihr Text ist noch da; bitte versuchen Sie es erneut.',
  },
  comment: {
    translate: 'Übersetzen',
    named: (author) => `Kommentar von ${author} übersetzen`,
    translating: 'Wird übersetzt …',
    hide: 'Übersetzung ausblenden',
    by: 'Maschinell übersetzt, nicht geprüft.',
    differs:
      'Übersetzung und Kommentar sagen nicht dasselbe: Bitte vergleichen Sie Zahlen, Dosierungen und Verneinungen.',
    failed: 'Der Kommentar konnte nicht übersetzt werden. Bitte versuchen Sie es später erneut.',
    quota: 'Heute können keine weiteren Kommentare übersetzt werden.',
  },
};
