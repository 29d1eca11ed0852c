import type { ownLanguage as source } from '../en/own-language.ts';

export const ownLanguage: typeof source = {
  offer: 'Este sitio también está en español',
  close: 'Cerrar este aviso',
  back: 'Volver a la página en español',
  callouts: { warning: 'Advertencia', summary: 'Resumen', 'key-points': 'Puntos clave' },
  footnotes: 'Notas',
};
