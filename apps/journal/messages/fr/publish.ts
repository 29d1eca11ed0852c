import { wholeMegabytes } from '@fabrica/contract';
import type { publish as source } from '../en/publish.ts';

export const publish: typeof source = {
  title: 'Créer un article',
  metaDescription: 'Publiez une œuvre accompagnée d’un texte médical, en quatre langues.',
  lead: 'Une œuvre, un titre et un texte. Les traductions en anglais, espagnol, français et allemand se font à la publication.',
  leadWithoutModel:
    'Une œuvre, un titre et un texte. Vos propres mots s’affichent dans toutes les langues : aucun service de traduction n’est configuré ici.',
  askForRole: {
    text: 'Les responsables de ce site peuvent vous en donner le droit.',
    contact: 'Écrivez-leur',
  },
  image: {
    label: 'Œuvre',
    choose: 'Choisir une image',
    drop: 'ou la déposer ici',
    hint: 'Une image JPEG, PNG, WebP, AVIF, GIF, HEIC ou TIFF de 50 Mo au plus. La galerie la recadre en 4:5 ; l’article la montre en entier.',
    inGallery: 'Dans la galerie',
    inPost: 'Dans l’article',
    small: (width: number, height: number) =>
      `Cette image ne fait que ${width} × ${height} pixels et paraîtra floue sur les grands écrans. À partir de 1600 pixels sur le plus grand côté, elle est nette.`,
    change: 'Changer d’image',
    preview: 'Aperçu de l’image choisie',
    missing: 'Choisissez une image.',
    notAnImage:
      'Ce type de fichier ne convient pas. Choisissez une image JPEG, PNG, WebP, AVIF, GIF, HEIC ou TIFF.',
    tooLarge: (bytes) =>
      `Le fichier (${wholeMegabytes(bytes)} Mo) dépasse la taille maximale autorisée (50 Mo)`,
    unreadable: 'Cette image est illisible. Elle est peut-être endommagée ; choisissez-en une autre.',
    drawing:
      'Ceci est un dessin (SVG), qui ne peut être ni recadré ni réduit. Exportez-le en PNG et choisissez ce fichier.',
    document: 'Ceci est un document PDF. Exportez la page en image PNG ou JPEG et choisissez cette image.',
    unconverted:
      'Cette image HEIC ou TIFF est illisible. Elle est peut-être endommagée, trop grande ou d’un type rare ; exportez-la en JPEG et choisissez ce fichier.',
    noPreview:
      'Ce navigateur ne peut pas afficher ce type d’image. Elle est convertie lors de l’envoi, et les lecteurs la verront.',
    checking: 'Vérification de l’image…',
  },
  titleField: {
    label: 'Titre',
    missing: 'Saisissez un titre.',
    markdown: 'Un titre n’a pas de mise en forme : ces signes Markdown s’affichent tels quels.',
  },
  contentField: {
    label: 'Texte médical',
    hint: 'Les retours à la ligne sont conservés tels quels.',
    long: (safe) =>
      `Les textes jusqu’à environ ${safe} caractères sont traduits pendant la publication. Celui-ci est plus long : le serveur traduit le reste ensuite, et votre propre texte s’affiche d’ici là.`,
    missing: 'Saisissez le texte.',
  },
  cancel: 'Annuler',
  submit: 'Publier',
  uploading: 'Envoi en cours…',
  publishing: 'Publication…',
  draftRestored: 'Votre brouillon est de retour, tel que vous l’avez laissé.',
  discardDraft: 'Abandonner le brouillon',
  confirmDiscard: 'Son titre, son texte et son image seront supprimés de cet appareil.',
  discarded: 'Le brouillon est abandonné.',
  undoDiscard: 'Annuler',
  keepDraft: 'Le garder',
  earlierDrafts: {
    heading: 'Brouillons précédents',
    open: (title) => `Reprendre votre brouillon « ${title} »`,
    openUntitled: 'Reprendre votre brouillon sans titre',
    untitled: 'Brouillon sans titre',
  },
  interrupted:
    'La publication a été interrompue. Votre brouillon est là ; avant de publier de nouveau, regardez dans la galerie si l’article y figure déjà.',
  desk: {
    action: 'Écrire à la rédaction',
    hint: 'La rédaction offre tout le reste : mise en forme, autres images, textes longs, collègues, date de parution et traductions que vous voyez avant vos lecteurs. Ce que vous avez écrit vous suit.',
  },
  missingFields: {
    title: 'Champs manquants',
    description: 'Remplissez tous les champs et ajoutez une image',
  },
  translating: {
    title: 'Traduction…',
    description: 'Traduction vers toutes les langues en cours',
    progress: (done: number, total: number) => `${done} sur ${total}`,
  },
  success: {
    title: 'C’est publié !',
    withTranslations: 'Votre article est en ligne avec ses traductions',
    read: 'Lire l’article',
  },
  missingTranslations: {
    title: 'Publié, mais pas entièrement traduit',
    allMissing: 'Publié sans traductions',
    description: (parts: string) => `Le texte original tient lieu de traduction : ${parts}.`,
    allDescription:
      'Le service de traduction n’a pas répondu. Le texte original s’affiche dans toutes les langues.',
    notConfigured:
      'Aucun service de traduction n’est configuré sur ce site. Le texte original s’affiche dans toutes les langues.',
    titleIn: (language: string) => `titre (${language})`,
    contentIn: (language: string) => `texte (${language})`,
    completed: 'Le serveur traduit maintenant ce qui manque ; vous pouvez fermer cette page.',
  },
  translations: {
    notTranslated: (languages: string) => `Non traduit : ${languages}.`,
    standsIn: 'Là où une traduction manque, votre propre texte s’affiche.',
    nowTranslated: (languages: string) => `Maintenant traduit : ${languages}.`,
    held: 'La traduction est retenue : le contrôle a trouvé un point qu’une personne doit voir.',
    lookAtHeld: 'Regarder',
    tryAgain: 'Réessayer',
    underWay: 'Le serveur traduit ce qui manque.',
    faults: {
      'not-configured': 'Aucun service de traduction n’est configuré sur ce site.',
      quota: 'Les traductions du jour sont épuisées.',
      offline: 'Le serveur est injoignable. Vérifiez votre connexion.',
      'cut-off': 'Le texte est trop long pour être traduit d’un seul tenant.',
      unusable: 'La réponse n’était pas une traduction complète.',
      numbers: 'Une traduction disait autre chose que votre texte dans ses nombres.',
      unanswered: 'Le service de traduction n’a pas répondu.',
    },
    contradiction: {
      pair: (language, { original, translated }) =>
        `La traduction (${language}) disait autre chose dans ses nombres : ${original} ici, ${translated} là.`,
      quoted: (words) => `« ${words} »`,
      absent: 'rien',
    },
    retryFailed: {
      'session-ended': 'Votre session a pris fin. Reconnectez-vous.',
      offline: 'Le serveur est injoignable. Vérifiez votre connexion.',
      gone: 'Cet article n’existe plus.',
      'unknown-language':
        'Indiquez à la rédaction dans quelle langue est le texte : il pourra alors être traduit.',
      unknown: 'Les traductions n’ont pas pu être enregistrées. Veuillez réessayer.',
    },
  },
  failure: {
    title: 'Erreur',
    description: 'L’article n’a pas pu être créé. Veuillez réessayer.',
    kept: 'Tout ce que vous avez saisi est encore là.',
    offline: 'Vérifiez votre connexion.',
    forbidden: 'Votre compte ne permet pas de publier.',
    storageFull:
      'Il n’y a plus de place pour des images sur le serveur. Prévenez la personne qui l’administre.',
    quotaExceeded:
      'Votre espace pour les images est épuisé. Supprimez des articles dont vous n’avez plus besoin, ou demandez-en davantage à la personne qui administre le site.',
  },
  cancelled: {
    title: 'Rien n’a été publié',
    description: 'Votre brouillon reste sur cet appareil.',
  },
  sessionEnded: {
    title: 'Votre session a pris fin',
    description: 'Reconnectez-vous. Votre brouillon est conservé sur cet appareil.',
    signIn: 'Se reconnecter',
  },
};
