import type { readingTranslations as source } from '../en/reading-translations.ts';

export const readingTranslations: typeof source = {
  title: 'Título',
  original: 'Original',
  originalIn: (language) => `Original en ${language}`,
  report: 'Avisar de un error',
  named: (button, passage) => `${button}: «${passage}»`,
  removed: 'El original ya no contiene este pasaje.',
  form: {
    quote: 'El pasaje',
    message: '¿Qué está mal?',
    hint: 'No necesita una cuenta. No escriba nada sobre su propia salud.',
    missing: 'Escriba qué está mal.',
    send: 'Enviar aviso',
    sending: 'Enviando…',
    cancel: 'Cancelar',
    close: 'Cerrar',
    thanks: '¡Gracias! Quienes revisan esta traducción verán su aviso.',
    failed: 'No se ha podido enviar el aviso. Lo que ha escrito sigue aquí; inténtelo de nuevo.',
  },
  comment: {
    translate: 'Traducir',
    named: (author) => `Traducir el comentario de ${author}`,
    translating: 'Traduciendo…',
    hide: 'Ocultar la traducción',
    by: 'Traducido por una máquina, sin revisar.',
    differs:
      'La traducción y el comentario no dicen lo mismo: compara los números, las dosis y las negaciones.',
    failed: 'No se ha podido traducir el comentario. Inténtelo más tarde.',
    quota: 'Hoy no se pueden traducir más comentarios.',
  },
};
