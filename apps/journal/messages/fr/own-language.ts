import type { ownLanguage as source } from '../en/own-language.ts';

export const ownLanguage: typeof source = {
  offer: 'Ce site existe aussi en français',
  close: 'Fermer cet avis',
  back: 'Revenir à la page en français',
  callouts: { warning: 'Mise en garde', summary: 'Résumé', 'key-points': 'Points clés' },
  footnotes: 'Notes',
};
