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
    ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail einfach.',
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
  'confirm-change': {
    subject: (site) => `Ein Code zur Bestätigung einer Änderung bei ${site}`,
    title: 'Bestätigen Sie eine Änderung',
    lead: (host) =>
      `Jemand, der in Ihrem Konto bei ${host} angemeldet ist, möchte es ändern. Dieser Code bestätigt das:`,
    ignore:
      'Wenn Sie das nicht waren, geben Sie den Code nicht weiter: Melden Sie sich auf der Kontoseite überall ab und legen Sie ein neues Passwort fest.',
  },
  ownerNotice: {
    when: (date) => `Wann: ${date}`,
    device: (device) => `Wo: ${device}`,
    advice:
      'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, öffnen Sie die Website selbst, legen Sie über „Passwort vergessen?“ ein neues Passwort fest und melden Sie sich auf der Kontoseite überall ab.',
    adviceToAdmins:
      'Diese E-Mail geht an alle, die Rollen vergeben dürfen. Wenn es niemand von Ihnen war, ist eines dieser Konten in falschen Händen: Nehmen Sie die Rolle auf der Seite „Personen“ zurück, und sorgen Sie dafür, dass dort ein neues Passwort gesetzt wird.',
    adviceAfterDeletion:
      'Wenn Sie das nicht waren, schreiben Sie bitte den Betreibern dieser Website. Selbst lässt sich das Gelöschte nicht wiederherstellen.',
  },
  'password-changed': {
    subject: (site) => `Ihr Passwort für ${site} wurde geändert`,
    title: 'Ihr Passwort wurde geändert',
    lead: (host) => `Ihr Konto bei ${host} hat ein neues Passwort. Alle anderen Geräte wurden abgemeldet.`,
  },
  'account-deleted': {
    subject: (site) => `Ihr Konto bei ${site} wurde gelöscht`,
    title: 'Ihr Konto wurde gelöscht',
    lead: (host) => `Ihr Konto bei ${host} wurde gelöscht, mit allem, was nur Ihnen gehörte.`,
  },
  'data-exported': {
    subject: (site) => `Ihre Daten bei ${site} wurden heruntergeladen`,
    title: 'Ihre Daten wurden heruntergeladen',
    lead: (host) => `Eine Kopie aller Daten Ihres Kontos bei ${host} wurde heruntergeladen.`,
  },
  'provider-linked': {
    subject: (site) => `Ein neuer Weg, sich bei ${site} anzumelden`,
    title: 'Ein neuer Weg, sich anzumelden',
    lead: (host, subject) =>
      `Ab jetzt können Sie sich mit ${subject} in Ihrem Konto bei ${host} anmelden, denn dort ist dieselbe E-Mail-Adresse bestätigt.`,
  },
  'new-device': {
    subject: (site) => `Eine neue Anmeldung bei ${site}`,
    title: 'Anmeldung von einem neuen Gerät',
    lead: (host) =>
      `Jemand hat sich in Ihrem Konto bei ${host} auf einem Gerät angemeldet, das wir noch nicht kennen.`,
  },
  'factor-added': {
    subject: (site) => `Ein zweiter Schritt für die Anmeldung bei ${site}`,
    title: 'Ein zweiter Schritt wurde hinzugefügt',
    lead: (host, subject) =>
      `„${subject}“ wurde zu Ihrem Konto bei ${host} hinzugefügt: ein Passkey oder eine App, die bei jeder Anmeldung zeigt, dass Sie es sind.`,
  },
  'factor-removed': {
    subject: (site) => `Ein zweiter Schritt wurde bei ${site} entfernt`,
    title: 'Ein zweiter Schritt wurde entfernt',
    lead: (host, subject) => `„${subject}“ gilt für Ihr Konto bei ${host} nicht mehr.`,
  },
  'factors-reset': {
    subject: (site) => `Ihre zweiten Schritte bei ${site} wurden entfernt`,
    title: 'Ihre zweiten Schritte wurden entfernt',
    lead: (host) =>
      `Die Betreiber haben die Passkeys, die App und die Wiederherstellungscodes Ihres Kontos bei ${host} entfernt und Sie überall abgemeldet. Ab jetzt genügt zum Anmelden das Passwort oder ein Link per E-Mail.`,
  },
  'recovery-codes-made': {
    subject: (site) => `Neue Wiederherstellungscodes für ${site}`,
    title: 'Sie haben neue Wiederherstellungscodes',
    lead: (host) =>
      `Für Ihr Konto bei ${host} wurden neue Wiederherstellungscodes erstellt. Die früheren gelten nicht mehr.`,
  },
  'recovery-code-used': {
    subject: (site) => `Ein Wiederherstellungscode wurde bei ${site} verwendet`,
    title: 'Ein Wiederherstellungscode wurde verwendet',
    lead: (host, subject) =>
      `Für Ihr Konto bei ${host} wurde ein Wiederherstellungscode verwendet. Übrige Codes: ${subject}.`,
  },
  'codes-guessed': {
    subject: (site) => `Falsche Codes für Ihr Konto bei ${site}`,
    title: 'Jemand gibt falsche Codes ein',
    lead: (host) =>
      `Für Ihr Konto bei ${host} wurden heute so viele Codes Ihrer App eingegeben, dass wir bis morgen keine weiteren annehmen. Wer sie eingegeben hat, ist über den ersten Schritt der Anmeldung hinausgekommen. Ihre Passkeys und Wiederherstellungscodes gelten weiterhin.`,
  },
  'role-changed': {
    subject: (site) => `Bei ${site} wurde eine Rolle geändert`,
    title: 'Eine Rolle wurde geändert',
    lead: (host, subject) => `Ein Konto bei ${host} hat jetzt eine andere Rolle. ${subject}.`,
  },
  named: {
    title: (count: number, site: string) =>
      count === 1 ? `Ein Beitrag bei ${site} nennt Sie` : `${count} Beiträge bei ${site} nennen Sie`,
    lead: (count: number) =>
      `Jemand hat Ihr Konto unter den Mitwirkenden ${count === 1 ? 'eines Beitrags' : 'von Beiträgen'} genannt. Bis Sie zustimmen, steht Ihr Name dort als bloßer Text und sonst nichts von Ihnen. Sie können ihn auch entfernen.`,
    button: 'Auf der Kontoseite antworten',
    why: 'Sie erhalten diese E-Mail, weil Ihr Konto genannt wird: höchstens eine in der Stunde.',
    stop: 'Diese E-Mails abbestellen',
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
