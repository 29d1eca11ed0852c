import type { mails as source } from '../en/mails.ts';

export const mails: typeof source = {
  linkLead: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  linkValid: (time: string) => `Der Link ist ${time} lang gültig und lässt sich nur einmal verwenden.`,
  codeLead: 'Oder geben Sie diesen Code auf der Seite ein, die danach fragt:',
  codeValid: (time: string) => `Der Code ist ${time} lang gültig.`,
  neverAsked:
    'Wir fragen nie am Telefon, per E-Mail oder im Chat nach diesem Code. Bitte geben Sie ihn nicht weiter.',
  'verify-email': {
    subject: (site) => `Bestätigen Sie Ihre E-Mail-Adresse für ${site}`,
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lead: (site: string) =>
      `Mit dieser E-Mail-Adresse wurde ein Konto bei ${site} angelegt. Bitte bestätigen Sie sie nur, wenn Sie das waren.`,
    button: 'Adresse bestätigen',
    ignore:
      'Wenn Sie das nicht waren, bestätigen Sie nichts: Jemand anderes hätte sonst ein Konto in Ihrem Namen. Ignorieren Sie diese E-Mail einfach.',
  },
  'magic-link': {
    subject: (site) => `Ihr Anmeldelink für ${site}`,
    title: 'Anmelden',
    lead: (site: string) =>
      `Mit diesem Link melden Sie sich bei ${site} an. Gibt es zu dieser Adresse noch kein Konto, wird eines angelegt.`,
    button: 'Anmelden',
    ignore:
      'Wenn Sie den Link nicht angefordert haben, ignorieren Sie diese E-Mail einfach: Ohne Link oder Code kann sich niemand anmelden.',
  },
  'reset-password': {
    subject: (site) => `Ein neues Passwort für ${site}`,
    title: 'Legen Sie ein neues Passwort fest',
    lead: (site: string) => `Für Ihr Konto bei ${site} wurde ein neues Passwort angefordert.`,
    button: 'Neues Passwort festlegen',
    ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail einfach: Ihr Passwort bleibt, wie es ist.',
  },
  'new-comments': {
    subject: (count: number, post: string) =>
      count === 1 ? `Ein neuer Kommentar zu „${post}“` : `${count} neue Kommentare zu „${post}“`,
    title: (count: number) => (count === 1 ? 'Ein neuer Kommentar' : `${count} neue Kommentare`),
    lead: (post: string) => `Zu Ihrem Beitrag „${post}“:`,
    more: (count: number) => (count === 1 ? 'Und noch einer.' : `Und ${count} weitere.`),
    button: 'Lesen und antworten',
    why: 'Sie erhalten diese E-Mail, weil der Beitrag von Ihnen ist: höchstens eine in der Stunde, mit allem, was inzwischen kam.',
    stop: 'Diese E-Mails abbestellen',
  },
};
