import type { ownLanguage as source } from '../en/own-language.ts';

export const ownLanguage: typeof source = {
  offer: 'Diese Website gibt es auch auf Deutsch',
  close: 'Diesen Hinweis schließen',
  back: 'Zurück zur deutschen Seite',
  callouts: { warning: 'Warnhinweis', summary: 'Zusammenfassung', 'key-points': 'Kernpunkte' },
  footnotes: 'Fußnoten',
};
