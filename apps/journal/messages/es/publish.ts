import { wholeMegabytes } from '@fabrica/contract';
import type { publish as source } from '../en/publish.ts';

export const publish: typeof source = {
  title: 'Crear una publicación',
  metaDescription: 'Publique una obra con un texto médico, en cuatro idiomas.',
  lead: 'Una obra, un título y un texto. Las traducciones al inglés, español, francés y alemán se hacen al publicar.',
  leadWithoutModel:
    'Una obra, un título y un texto. En todos los idiomas se muestran sus propias palabras: aquí no hay ningún servicio de traducción configurado.',
  askForRole: { text: 'Quienes gestionan este sitio pueden concederle ese permiso.', contact: 'Escríbales' },
  image: {
    label: 'Obra',
    choose: 'Elegir una imagen',
    drop: 'o suéltela aquí',
    hint: 'Una imagen JPEG, PNG, WebP, AVIF, GIF, HEIC o TIFF de hasta 50 MB. En la galería se recorta a 4:5; en su publicación se ve entera.',
    inGallery: 'En la galería',
    inPost: 'En la publicación',
    small: (width: number, height: number) =>
      `Esta imagen tiene solo ${width} × ${height} píxeles y se verá borrosa en pantallas grandes. A partir de 1600 píxeles en el lado más largo se ve nítida.`,
    change: 'Cambiar imagen',
    preview: 'Vista previa de la imagen elegida',
    missing: 'Elija una imagen.',
    notAnImage:
      'Este tipo de archivo no se puede usar. Elija una imagen JPEG, PNG, WebP, AVIF, GIF, HEIC o TIFF.',
    tooLarge: (bytes) => `El archivo (${wholeMegabytes(bytes)} MB) supera el tamaño máximo permitido (50 MB)`,
    unreadable: 'Esta imagen no se puede leer. Quizá esté dañada; elija otra.',
    drawing:
      'Esto es un dibujo (SVG), que no se puede recortar ni reducir. Expórtelo como PNG y elija ese archivo.',
    document: 'Esto es un documento PDF. Exporte la página como imagen PNG o JPEG y elija esa imagen.',
    unconverted:
      'Esta imagen HEIC o TIFF no se puede leer. Quizá esté dañada, sea demasiado grande o de un tipo poco común; expórtela como JPEG y elija ese archivo.',
    noPreview:
      'Este navegador no puede mostrar este tipo de imagen. Se convierte al subirla, y los lectores la verán.',
    checking: 'Comprobando la imagen…',
  },
  titleField: {
    label: 'Título',
    missing: 'Escriba un título.',
    markdown: 'Un título no tiene formato: los lectores ven estos signos de Markdown tal cual.',
  },
  contentField: {
    label: 'Texto médico',
    hint: 'Los saltos de línea se conservan tal como los escribe.',
    long: (safe) =>
      `Los textos de hasta unos ${safe} caracteres se traducen mientras publica. Este es más largo: el servidor traduce el resto después, y hasta entonces se muestra su propio texto.`,
    missing: 'Escriba el texto.',
  },
  cancel: 'Cancelar',
  submit: 'Publicar',
  uploading: 'Subiendo…',
  publishing: 'Publicando…',
  draftRestored: 'Su borrador está de vuelta, tal como lo dejó.',
  discardDraft: 'Descartar borrador',
  confirmDiscard: 'Su título, texto e imagen se eliminan de este dispositivo.',
  discarded: 'El borrador se ha descartado.',
  undoDiscard: 'Deshacer',
  keepDraft: 'Conservarlo',
  earlierDrafts: {
    heading: 'Borradores anteriores',
    open: (title) => `Continúe con su borrador «${title}»`,
    openUntitled: 'Continúe con su borrador sin título',
    untitled: 'Borrador sin título',
  },
  interrupted:
    'La publicación se interrumpió. Su borrador está aquí; antes de publicar de nuevo, mire en la galería si ya aparece.',
  desk: {
    action: 'Escribir en la mesa de redacción',
    hint: 'La mesa de redacción ofrece todo lo demás: formato, más imágenes, textos largos, colegas, una fecha y traducciones que ve antes que sus lectores. Lo que ha escrito va con usted.',
  },
  missingFields: {
    title: 'Faltan campos',
    description: 'Rellene todos los campos y suba una imagen',
  },
  translating: {
    title: 'Traduciendo…',
    description: 'Generando las traducciones a todos los idiomas',
    progress: (done: number, total: number) => `${done} de ${total}`,
  },
  success: {
    title: '¡Listo!',
    withTranslations: 'Su publicación ya está en línea con sus traducciones',
    read: 'Leerla',
  },
  missingTranslations: {
    title: 'Publicado, pero no traducido del todo',
    allMissing: 'Publicado sin traducciones',
    description: (parts: string) => `Se muestra el texto original en: ${parts}.`,
    allDescription:
      'El servicio de traducción no ha respondido. El texto original se muestra en todos los idiomas.',
    notConfigured:
      'Este sitio no tiene configurado un servicio de traducción. El texto original se muestra en todos los idiomas.',
    titleIn: (language: string) => `título (${language})`,
    contentIn: (language: string) => `texto (${language})`,
    completed: 'El servidor traduce ahora lo que falta; puede cerrar esta página.',
  },
  translations: {
    notTranslated: (languages: string) => `Sin traducir: ${languages}.`,
    standsIn: 'Donde falta una traducción se muestra su propio texto.',
    nowTranslated: (languages: string) => `Traducido ahora: ${languages}.`,
    held: 'La traducción está retenida: la comprobación ha encontrado algo que debe ver una persona.',
    lookAtHeld: 'Verlo',
    tryAgain: 'Intentar de nuevo',
    underWay: 'El servidor está traduciendo lo que falta.',
    faults: {
      'not-configured': 'Este sitio no tiene configurado un servicio de traducción.',
      quota: 'Las traducciones de hoy están agotadas.',
      offline: 'No se ha podido conectar con el servidor. Compruebe su conexión.',
      'cut-off': 'El texto es demasiado largo para traducirlo de una vez.',
      unusable: 'Lo que ha llegado no era una traducción completa.',
      numbers: 'Una traducción decía en sus cifras algo distinto de su texto.',
      unanswered: 'El servicio de traducción no ha respondido.',
    },
    contradiction: {
      pair: (language, { original, translated }) =>
        `La traducción (${language}) decía en sus cifras algo distinto: ${original} aquí, ${translated} allí.`,
      quoted: (words) => `«${words}»`,
      absent: 'nada',
    },
    retryFailed: {
      'session-ended': 'Su sesión ha terminado. Vuelva a iniciar sesión.',
      offline: 'No se ha podido conectar con el servidor. Compruebe su conexión.',
      gone: 'Esta publicación ya no existe.',
      'unknown-language':
        'Indique en la mesa de redacción en qué idioma está el texto: entonces podrá traducirse.',
      unknown: 'No se han podido guardar las traducciones. Inténtelo de nuevo.',
    },
  },
  failure: {
    title: 'Error',
    description: 'No se ha podido crear la publicación. Inténtelo de nuevo.',
    kept: 'Todo lo que ha escrito sigue aquí.',
    offline: 'Compruebe su conexión.',
    forbidden: 'Su cuenta no tiene permiso para publicar.',
    storageFull: 'Ya no queda espacio para imágenes en el servidor. Avisa a quien lo administra.',
    quotaExceeded:
      'Ha agotado su espacio para imágenes. Elimine publicaciones que ya no necesite o pida más a quien administra el sitio.',
  },
  cancelled: {
    title: 'No se ha publicado nada',
    description: 'Su borrador queda guardado en este dispositivo.',
  },
  sessionEnded: {
    title: 'Su sesión ha terminado',
    description: 'Vuelva a iniciar sesión. Su borrador se conserva en este dispositivo.',
    signIn: 'Iniciar sesión de nuevo',
  },
};
