import type { layout as original } from '../en/layout.ts';

export const layout: typeof original = {
  tagline: 'Ein Journal für Medizin und Kunst',
  skipToContent: 'Zum Inhalt springen',
  home: (site) => `${site}, zur Galerie`,
  navigation: 'Hauptnavigation',
  gallery: 'Galerie',
  about: 'Über mich',
  contact: 'Kontakt',
  createPost: 'Beitrag erstellen',
  account: 'Konto',
  insights: 'Leserschaft',
  insightsLead:
    'Wie Beiträge gelesen werden: Aufrufe, Leser, Sprachen, woher die Leser kommen und wie sie reagieren.',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  site: 'Website-Einstellungen',
  signIn: 'Admin-Anmeldung',
  signOut: 'Abmelden',
  confirmSignOut:
    'Abmelden? Ihr Entwurf wird von diesem Gerät entfernt, damit ihn hier niemand sonst findet.',
  signingOut: 'Sie werden abgemeldet …',
  openMenu: 'Menü öffnen',
  closeMenu: 'Menü schließen',
  language: 'Sprache',
  languageFailed: 'Die Sprache konnte nicht geladen werden',
  checkConnection: 'Bitte prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  darkTheme: 'Dunkle Darstellung',
  notices: 'Hinweise',
  closeNotice: 'Schließen',
  limit: {
    count: (count, limit) => `${count} von ${limit} Zeichen`,
    near: (limit) => `Fast ${limit} Zeichen: Mehr lassen sich nicht senden.`,
    passed: (limit) => `Mehr als ${limit} Zeichen: So lässt sich das nicht senden.`,
    over: (characters, limit) => `${characters} Zeichen zu viel: Bitte kürzen Sie auf ${limit}.`,
  },
  namesake:
    'Benannt nach Vesals De humani corporis fabrica von 1543, dem Buch, in dem sich Medizin und Kunst zum ersten Mal eine Seite teilten.',
  failedTitle: 'Diese Seite konnte nicht geladen werden',
  failedText:
    'Unterwegs ist etwas schiefgegangen. Oft genügt ein zweiter Versuch; wenn nicht, prüfen Sie bitte Ihre Verbindung.',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen …',
  offline: {
    title: 'Sie sind offline',
    text: 'Diese Seite wurde auf diesem Gerät noch nicht gelesen. Was Sie gelesen haben, ist weiterhin da.',
    stays: 'Sie sind offline. Diese Seite bleibt hier stehen.',
  },
  brokenImage: 'Dieses Bild konnte nicht geladen werden.',
  needsScript: 'Diese Seite benötigt JavaScript, das in Ihrem Browser ausgeschaltet ist.',
  openingQuote: '„',
  closingQuote: '“',
};
