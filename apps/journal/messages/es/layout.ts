import type { layout as original } from '../en/layout.ts';

export const layout: typeof original = {
  tagline: 'Una revista de medicina y arte',
  skipToContent: 'Saltar al contenido',
  home: (site) => `${site}, a la galería`,
  navigation: 'Principal',
  gallery: 'Galería',
  about: 'Sobre mí',
  contact: 'Contacto',
  createPost: 'Crear publicación',
  account: 'Cuenta',
  insights: 'Audiencia',
  insightsLead:
    'Cómo se leen las publicaciones: visitas, lectores, idiomas, de dónde llegan los lectores y cómo reaccionan.',
  imprint: 'Aviso legal',
  privacy: 'Privacidad',
  site: 'Ajustes del sitio',
  signIn: 'Acceso admin',
  signOut: 'Cerrar sesión',
  confirmSignOut:
    '¿Cerrar sesión? Tu borrador se elimina de este dispositivo, para que nadie más lo encuentre aquí.',
  signingOut: 'Cerrando sesión…',
  openMenu: 'Abrir el menú',
  closeMenu: 'Cerrar el menú',
  language: 'Idioma',
  languageFailed: 'No se ha podido cargar el idioma',
  checkConnection: 'Comprueba tu conexión e inténtalo de nuevo.',
  darkTheme: 'Tema oscuro',
  notices: 'Avisos',
  closeNotice: 'Cerrar',
  limit: {
    count: (count, limit) => `${count} de ${limit} caracteres`,
    near: (limit) => `Casi ${limit} caracteres, que es lo máximo que se puede enviar.`,
    passed: (limit) => `Más de ${limit} caracteres: así no se puede enviar.`,
    over: (characters, limit, excess) =>
      `${excess === 1 ? 'Sobra' : 'Sobran'} ${characters} ${excess === 1 ? 'carácter' : 'caracteres'}: acórtalo a ${limit}.`,
  },
  namesake:
    'Lleva el nombre de De humani corporis fabrica, de Vesalio (1543): el libro en que la medicina y el arte compartieron página por primera vez.',
  failedTitle: 'No se ha podido cargar esta página',
  failedText:
    'Algo ha fallado por el camino. Muchas veces basta con volver a intentarlo; si no, comprueba tu conexión.',
  tryAgain: 'Intentar de nuevo',
  loading: 'Cargando…',
  offline: {
    title: 'No tienes conexión',
    text: 'Esta página aún no se ha leído en este dispositivo. Las que ya has leído siguen aquí.',
    stays: 'No tienes conexión. Esta página sigue aquí.',
  },
  brokenImage: 'No se ha podido cargar esta imagen.',
  needsScript: 'Esta página necesita JavaScript, que está desactivado en tu navegador.',
  openingQuote: '«',
  closingQuote: '»',
};
