import type { contact as original } from '../en/contact.ts';

export const contact: typeof original = {
  title: 'Kontakt',
  lead: 'Eine Frage, eine Korrektur, ein Bild, das neben einen dieser Texte gehört: Schreiben Sie uns.',
  description: (site) => `Schreiben Sie an ${site}.`,
  name: 'Name',
  email: 'E-Mail',
  message: 'Nachricht',
  send: 'Nachricht senden',
  sending: 'Wird gesendet …',
  nameRequired: 'Bitte geben Sie Ihren Namen ein.',
  emailRequired: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
  emailInvalid: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
  messageRequired: 'Bitte schreiben Sie eine Nachricht.',
  sent: 'Nachricht erfolgreich gesendet!',
  sentDescription: 'Wir melden uns bald bei Ihnen.',
  failed: 'Die Nachricht konnte nicht gesendet werden. Bitte versuchen Sie es erneut.',
  tooMany: 'Sie haben schon mehrere Nachrichten geschrieben. Bitte versuchen Sie es in einer Stunde erneut.',
};
