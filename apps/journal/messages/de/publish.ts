import { wholeMegabytes } from '@fabrica/contract';
import type { publish as source } from '../en/publish.ts';

export const publish: typeof source = {
  title: 'Beitrag erstellen',
  metaDescription: 'Ein Kunstwerk mit einem medizinischen Text veröffentlichen, in vier Sprachen.',
  lead: 'Ein Kunstwerk, ein Titel und ein Text. Die Übersetzungen ins Englische, Spanische, Französische und Deutsche entstehen beim Veröffentlichen.',
  leadWithoutModel:
    'Ein Kunstwerk, ein Titel und ein Text. In jeder Sprache stehen Ihre eigenen Worte: Hier ist kein Übersetzungsdienst eingerichtet.',
  askForRole: {
    text: 'Das Recht dazu geben Ihnen die Betreiber dieser Seite.',
    contact: 'Schreiben Sie ihnen',
  },
  image: {
    label: 'Kunstwerk',
    choose: 'Bild auswählen',
    drop: 'oder hier ablegen',
    hint: 'Ein Bild als JPEG, PNG, WebP, AVIF, GIF, HEIC oder TIFF bis 50 MB. Die Galerie beschneidet es auf 4:5; der Beitrag zeigt es ganz.',
    inGallery: 'In der Galerie',
    inPost: 'Im Beitrag',
    small: (width: number, height: number) =>
      `Dieses Bild hat nur ${width} × ${height} Pixel und wirkt auf großen Bildschirmen unscharf. Ab 1600 Pixeln an der längeren Seite ist es scharf.`,
    change: 'Bild ändern',
    preview: 'Vorschau des gewählten Bildes',
    missing: 'Bitte wählen Sie ein Bild aus.',
    notAnImage:
      'Diese Art von Datei lässt sich nicht verwenden. Bitte wählen Sie ein Bild als JPEG, PNG, WebP, AVIF, GIF, HEIC oder TIFF.',
    tooLarge: (bytes) => `Die Datei (${wholeMegabytes(bytes)} MB) überschreitet die zulässige Größe (50 MB)`,
    unreadable:
      'Dieses Bild lässt sich nicht lesen. Vielleicht ist es beschädigt; bitte wählen Sie ein anderes.',
    drawing:
      'Das ist eine Zeichnung (SVG), die sich nicht beschneiden und verkleinern lässt. Bitte exportieren Sie sie als PNG und wählen Sie dieses.',
    document:
      'Das ist ein PDF-Dokument. Bitte exportieren Sie die Seite als PNG oder JPEG und wählen Sie dieses Bild.',
    unconverted:
      'Dieses HEIC- oder TIFF-Bild lässt sich nicht lesen. Vielleicht ist es beschädigt, zu groß oder von seltener Art; bitte exportieren Sie es als JPEG und wählen Sie dieses.',
    noPreview:
      'Dieser Browser kann diese Art von Bild nicht anzeigen. Es wird beim Hochladen umgewandelt, und Leserinnen und Leser sehen es.',
    checking: 'Das Bild wird geprüft …',
  },
  titleField: {
    label: 'Titel',
    missing: 'Bitte geben Sie einen Titel ein.',
    markdown: 'Ein Titel hat keine Formatierung: Diese Markdown-Zeichen stehen bei den Lesenden so da.',
  },
  contentField: {
    label: 'Medizinischer Text',
    hint: 'Zeilenumbrüche bleiben so, wie Sie sie setzen.',
    long: (safe) =>
      `Texte bis etwa ${safe} Zeichen werden beim Veröffentlichen übersetzt. Dieser ist länger: Den Rest übersetzt der Server danach, und bis dahin steht Ihr eigener Text.`,
    missing: 'Bitte geben Sie den Text ein.',
  },
  cancel: 'Abbrechen',
  submit: 'Veröffentlichen',
  uploading: 'Wird hochgeladen …',
  publishing: 'Wird veröffentlicht …',
  draftRestored: 'Ihr Entwurf ist wieder da, so wie Sie ihn verlassen haben.',
  discardDraft: 'Entwurf verwerfen',
  confirmDiscard: 'Titel, Text und Bild werden von diesem Gerät entfernt.',
  discarded: 'Der Entwurf ist verworfen.',
  undoDiscard: 'Rückgängig machen',
  keepDraft: 'Behalten',
  earlierDrafts: {
    heading: 'Frühere Entwürfe',
    open: (title) => `Ihren Entwurf „${title}“ weiterschreiben`,
    openUntitled: 'Ihren Entwurf ohne Titel weiterschreiben',
    untitled: 'Entwurf ohne Titel',
  },
  interrupted:
    'Das Veröffentlichen wurde unterbrochen. Ihr Entwurf ist noch da; sehen Sie in der Galerie nach, ob der Beitrag dort steht, bevor Sie ihn noch einmal veröffentlichen.',
  desk: {
    action: 'Am Redaktionstisch schreiben',
    hint: 'Am Redaktionstisch gibt es alles andere: Formatierung, weitere Bilder, lange Texte, Mitschreibende, ein Datum und Übersetzungen, die Sie vor Ihren Lesern sehen. Was Sie geschrieben haben, kommt mit.',
  },
  missingFields: {
    title: 'Es fehlen Angaben',
    description: 'Bitte füllen Sie alle Felder aus und laden Sie ein Bild hoch',
  },
  translating: {
    title: 'Wird übersetzt …',
    description: 'Übersetzungen in alle Sprachen entstehen',
    progress: (done: number, total: number) => `${done} von ${total}`,
  },
  success: {
    title: 'Geschafft!',
    withTranslations: 'Ihr Beitrag wurde mit seinen Übersetzungen veröffentlicht',
    read: 'Beitrag lesen',
  },
  missingTranslations: {
    title: 'Veröffentlicht, aber nicht vollständig übersetzt',
    allMissing: 'Ohne Übersetzungen veröffentlicht',
    description: (parts: string) => `Hier steht der Originaltext: ${parts}.`,
    allDescription:
      'Der Übersetzungsdienst hat nicht geantwortet. In allen Sprachen wird der Originaltext gezeigt.',
    notConfigured:
      'Auf dieser Website ist kein Übersetzungsdienst eingerichtet. In allen Sprachen wird der Originaltext gezeigt.',
    titleIn: (language: string) => `Titel (${language})`,
    contentIn: (language: string) => `Text (${language})`,
    completed: 'Der Server übersetzt jetzt, was fehlt; Sie können diese Seite schließen.',
  },
  translations: {
    notTranslated: (languages: string) => `Nicht übersetzt: ${languages}.`,
    standsIn: 'Wo eine Übersetzung fehlt, steht Ihr eigener Text.',
    nowTranslated: (languages: string) => `Jetzt übersetzt: ${languages}.`,
    held: 'Die Übersetzung wird zurückgehalten: Die Prüfung hat etwas gefunden, das jemand ansehen muss.',
    lookAtHeld: 'Ansehen',
    tryAgain: 'Erneut versuchen',
    underWay: 'Der Server übersetzt, was fehlt.',
    faults: {
      'not-configured': 'Auf dieser Website ist kein Übersetzungsdienst eingerichtet.',
      quota: 'Die Übersetzungen für heute sind aufgebraucht.',
      offline: 'Der Server ist nicht zu erreichen. Bitte prüfen Sie Ihre Verbindung.',
      'cut-off': 'Der Text ist zu lang, um in einem Zug übersetzt zu werden.',
      unusable: 'Was zurückkam, war keine vollständige Übersetzung.',
      numbers: 'Eine Übersetzung sagte in ihren Zahlen etwas anderes als Ihr Text.',
      unanswered: 'Der Übersetzungsdienst hat nicht geantwortet.',
    },
    contradiction: {
      pair: (language, { original, translated }) =>
        `Die Übersetzung (${language}) sagte in ihren Zahlen etwas anderes: hier ${original}, dort ${translated}.`,
      quoted: (words) => `„${words}“`,
      absent: 'nichts',
    },
    retryFailed: {
      'session-ended': 'Ihre Sitzung ist beendet. Bitte melden Sie sich wieder an.',
      offline: 'Der Server ist nicht zu erreichen. Bitte prüfen Sie Ihre Verbindung.',
      gone: 'Diesen Beitrag gibt es nicht mehr.',
      'unknown-language':
        'Bitte geben Sie am Redaktionstisch an, in welcher Sprache der Text ist: Dann kann er übersetzt werden.',
      unknown: 'Die Übersetzungen konnten nicht gespeichert werden. Bitte versuchen Sie es erneut.',
    },
  },
  failure: {
    title: 'Fehler',
    description: 'Der Beitrag konnte nicht erstellt werden. Bitte versuchen Sie es erneut.',
    kept: 'Alles, was Sie eingegeben haben, ist noch da.',
    offline: 'Bitte prüfen Sie Ihre Verbindung.',
    forbidden: 'Mit Ihrem Konto können keine Beiträge veröffentlicht werden.',
    storageFull: 'Auf dem Server ist kein Platz mehr für Bilder. Bitte sagen Sie dem Betreiber Bescheid.',
    quotaExceeded:
      'Ihr Platz für Bilder ist aufgebraucht. Löschen Sie Beiträge, die Sie nicht mehr brauchen, oder bitten Sie den Betreiber um mehr.',
  },
  cancelled: {
    title: 'Es wurde nichts veröffentlicht',
    description: 'Ihr Entwurf bleibt auf diesem Gerät erhalten.',
  },
  sessionEnded: {
    title: 'Ihre Sitzung ist beendet',
    description: 'Bitte melden Sie sich wieder an. Ihr Entwurf bleibt auf diesem Gerät erhalten.',
    signIn: 'Wieder anmelden',
  },
};
