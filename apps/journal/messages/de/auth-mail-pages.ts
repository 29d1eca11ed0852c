import type { authMail as source } from '../en/auth-mail-pages.ts';

export const authMail: typeof source = {
  send: {
    sending: 'Wird gesendet …',
    spam: 'Nach ein, zwei Minuten noch nichts da? Bitte sehen Sie auch im Spam-Ordner nach.',
    code: 'Code anfordern',
    again: 'Neuen Code anfordern',
    sentAgain: 'Eine neue E-Mail ist unterwegs. Es gilt nur der Code der neuesten.',
    otherEmail: 'Andere Adresse verwenden',
  },
  /** For a site without a mail server. */
  unsent: {
    lead: 'Diese Website verschickt keine E-Mails, denn sie hat keinen Mailserver. Wer sie betreibt, kann Ihnen den Link oder den Code geben.',
    requested:
      'Es kommt keine E-Mail, denn diese Website hat keinen Mailserver. Bitte fragen Sie den Betreiber nach dem Code und geben Sie ihn hier ein.',
    byLink:
      'Es kommt keine E-Mail, denn diese Website hat keinen Mailserver. Bitte fragen Sie den Betreiber nach dem Link.',
    magic: 'Mit Link oder Code anmelden',
    password:
      'Sie haben noch kein Passwort oder wissen es nicht mehr? Diese Website verschickt keine E-Mails; wer sie betreibt, kann Ihnen einen Link geben, mit dem Sie ein neues wählen.',
    link: 'Link anfordern',
    newest: 'Nur der neueste Code gilt.',
    none: 'Noch hat diese Website keinen Mailserver; deshalb wird keine davon verschickt.',
  },
  code: {
    label: 'Code',
    hint: (minutes: number) => `Er gilt ${minutes} Minuten.`,
    missing: 'Bitte geben Sie alle Ziffern des Codes ein.',
    tooMany: 'Es wurden zu viele Codes ausprobiert. Bitte verwenden Sie den Link oder warten Sie eine Weile.',
    wrong: (tries: number) =>
      `Dieser Code ist falsch oder gilt nicht mehr. Nach ${tries} falschen Versuchen brauchen Sie einen neuen.`,
  },
  link: {
    incompleteTitle: 'Dieser Link ist unvollständig',
    incomplete:
      'Ein Teil davon fehlt. Bitte öffnen Sie ihn noch einmal aus der E-Mail oder kopieren Sie ihn ganz.',
    usedTitle: 'Dieser Link gilt nicht mehr',
    used: 'Er wurde bereits verwendet oder ist abgelaufen.',
    continueTo: (site: string) => `Weiter zu ${site}`,
  },
  magic: {
    title: 'Per E-Mail anmelden',
    metaDescription: 'Melden Sie sich mit einem Link oder einem Code an, den wir Ihnen per E-Mail senden.',
    lead: 'Wir senden Ihnen einen Link und einen Code; ein Passwort brauchen Sie nicht. Falls Sie noch kein Konto haben, entsteht dabei eines.',
    send: 'Anmeldelink per E-Mail senden',
    sentTitle: 'Sehen Sie in Ihrem Postfach nach',
    sent: (email: string) =>
      `Eine E-Mail an ${email} ist unterwegs. Öffnen Sie den Link darin oder geben Sie hier den Code ein.`,
    sentForCode: (email: string) =>
      `Eine E-Mail an ${email} ist unterwegs. Geben Sie hier den Code daraus ein, um fortzufahren.`,
    signIn: 'Anmelden',
    signingIn: 'Anmeldung läuft …',
    linkTitle: 'Anmelden',
    linkLead: 'Klicken Sie auf die Schaltfläche, um sich anzumelden. Der Link gilt nur einmal.',
    redirectLead: (site: string) =>
      `Die Schaltfläche führt Sie zu ${site}; dort werden Sie angemeldet. Der Link gilt nur einmal.`,
    requestAgain: 'Neuen Link anfordern',
    withPassword: 'Mit Passwort anmelden',
  },
  forgot: {
    title: 'Passwort vergessen?',
    metaDescription:
      'Legen Sie ein neues Passwort fest, mit einem Link oder einem Code, den wir Ihnen per E-Mail senden.',
    lead: 'Nennen Sie uns Ihre Adresse: Wir senden Ihnen einen Link und einen Code, mit denen Sie ein neues Passwort festlegen können.',
    send: 'E-Mail anfordern',
    sentTitle: 'Sehen Sie in Ihrem Postfach nach',
    sent: (email: string) =>
      `Falls es ein Konto mit der Adresse ${email} gibt, ist eine E-Mail unterwegs. Öffnen Sie den Link darin oder geben Sie hier den Code ein.`,
    back: 'Zurück zur Anmeldung',
  },
  reset: {
    title: 'Neues Passwort festlegen',
    metaDescription: 'Legen Sie ein neues Passwort für Ihr Konto fest.',
    lead: 'Sie werden dabei auf allen Geräten abgemeldet.',
    newPassword: 'Neues Passwort',
    passwordHint: 'Mindestens 10 Zeichen und keines der gängigsten Passwörter.',
    passwordMissing: 'Bitte geben Sie ein neues Passwort ein.',
    save: 'Neues Passwort speichern',
    saving: 'Wird gespeichert …',
    doneTitle: 'Ihr Passwort ist geändert',
    done: 'Ab jetzt melden Sie sich mit dem neuen an. Alle Ihre Geräte wurden abgemeldet.',
    signIn: 'Anmelden',
    redirectLead: (site: string) => `Das neue Passwort legen Sie bei ${site} fest.`,
    requestAgain: 'Neuen Link anfordern',
  },
  /** For an account whose address was never verified, before its password ends. */
  claim: {
    title: 'Bevor es weitergeht',
    lead: 'Bisher hat niemand gezeigt, dass diese Adresse ihm gehört. Das Konto dazu hat ein Passwort, das Sie oder jemand Fremdes gewählt hat. Wenn Sie ohne dieses Passwort weitermachen, gilt es nicht mehr, und alle, die im Konto angemeldet sind, werden abgemeldet.',
    passwordHint: 'Damit bleibt alles, wie es ist.',
    newPassword: 'Oder ein neues Passwort',
    newPasswordHint:
      'Lassen Sie beide Felder leer, hat das Konto kein Passwort, und Sie melden sich per E-Mail an.',
  },
  verify: {
    title: 'Adresse bestätigen',
    metaDescription: 'Bestätigen Sie die E-Mail-Adresse Ihres Kontos.',
    lead: 'Zeigen Sie mit der Schaltfläche, dass diese Adresse Ihnen gehört.',
    confirm: 'Meine Adresse bestätigen',
    confirming: 'Wird bestätigt …',
    doneTitle: 'Ihre Adresse ist bestätigt',
    done: 'Vielen Dank. Das war schon alles.',
    failedTitle: 'Diese Adresse konnte nicht bestätigt werden',
    failed:
      'Der Link wurde bereits verwendet oder ist abgelaufen. Ist Ihre Adresse schon bestätigt, bleibt nichts zu tun; wenn nicht, fordern Sie auf Ihrer Kontoseite einen neuen an.',
    toAccount: 'Zu meinem Konto',
    password: 'Das Passwort, das Sie gewählt haben',
    passwordWrong: 'Das ist nicht das Passwort des Kontos.',
    doneWithoutPassword:
      'Die Adresse gehört jetzt Ihnen allein: Alle, die im Konto angemeldet waren, sind abgemeldet, und sein Passwort gilt nicht mehr. Melden Sie sich per E-Mail an und legen Sie, wenn Sie möchten, ein eigenes Passwort fest.',
    doneNewPassword:
      'Die Adresse gehört jetzt Ihnen allein: Alle, die im Konto angemeldet waren, sind abgemeldet. Von nun an melden Sie sich mit Ihrem neuen Passwort an.',
    toSignIn: 'Per E-Mail anmelden',
    goOn: 'Weiter',
  },
  notices: {
    title: 'E-Mails über neue Kommentare',
    metaDescription: 'E-Mails über neue Kommentare zu Ihren Beiträgen abbestellen.',
    lead: 'Für welche Beiträge möchten Sie keine mehr? In Ihrem Konto können Sie das ändern.',
    one: 'Für diesen Beitrag',
    all: 'Für alle meine Beiträge',
    stopping: 'Einen Augenblick …',
    doneTitle: 'Diese E-Mails sind abbestellt',
    doneOne: 'Wir schreiben Ihnen nicht mehr über neue Kommentare zu diesem Beitrag.',
    doneAll: 'Wir schreiben Ihnen nicht mehr über neue Kommentare zu Ihren Beiträgen.',
    toAccount: 'Zu meinem Konto',
    named: {
      title: 'E-Mails über Beiträge, in denen Sie genannt werden',
      lead: 'Möchten Sie keine mehr? In Ihrem Konto können Sie das ändern.',
      all: 'Abbestellen',
      doneAll: 'Wir schreiben Ihnen nicht mehr über Beiträge, in denen Sie genannt werden.',
    },
  },
};
