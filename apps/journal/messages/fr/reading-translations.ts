import type { readingTranslations as source } from '../en/reading-translations.ts';

export const readingTranslations: typeof source = {
  title: 'Titre',
  original: 'Original',
  originalIn: (language) => `Original en ${language}`,
  report: 'Signaler une erreur',
  named: (button, passage) => `${button} : « ${passage} »`,
  removed: 'L’original ne contient plus ce passage.',
  form: {
    quote: 'Le passage',
    message: 'Qu’est-ce qui ne va pas ?',
    hint: 'Aucun compte n’est nécessaire. N’écrivez rien sur votre propre santé.',
    missing: 'Indiquez ce qui ne va pas.',
    send: 'Envoyer le signalement',
    sending: 'Envoi…',
    cancel: 'Annuler',
    close: 'Fermer',
    thanks: 'Merci ! Les personnes qui relisent cette traduction verront votre signalement.',
    failed: 'Le signalement n’a pas pu être envoyé. Votre texte est toujours là ; veuillez réessayer.',
  },
  comment: {
    translate: 'Traduire',
    named: (author) => `Traduire le commentaire de ${author}`,
    translating: 'Traduction…',
    hide: 'Masquer la traduction',
    by: 'Traduit par une machine, non relu.',
    differs:
      'La traduction et le commentaire ne disent pas la même chose : comparez les nombres, les doses et les négations.',
    failed: 'Le commentaire n’a pas pu être traduit. Réessayez plus tard.',
    quota: 'Plus aucun commentaire ne peut être traduit aujourd’hui.',
  },
};
