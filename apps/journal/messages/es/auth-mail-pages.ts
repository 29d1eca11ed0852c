import type { authMail as source } from '../en/auth-mail-pages.ts';

export const authMail: typeof source = {
  send: {
    sending: 'Enviando…',
    spam: '¿No ha llegado en un par de minutos? Mira también en el correo no deseado.',
    again: 'Enviar otro correo',
    sentAgain: 'Hay otro correo en camino. Solo vale el código del más reciente.',
    otherEmail: 'Usar otra dirección',
  },
  /** For a site without a mail server. */
  unsent: {
    lead: 'Este sitio no envía correos: no tiene servidor de correo. Quien lo administra puede darte el enlace o el código.',
    requested:
      'No llegará ningún correo, porque este sitio no tiene servidor de correo. Pide el código a quien lo administra y escríbelo aquí.',
    byLink:
      'No llegará ningún correo, porque este sitio no tiene servidor de correo. Pide el enlace a quien lo administra.',
    newest: 'Solo vale el código más reciente.',
    none: 'Por ahora este sitio no tiene servidor de correo, así que no se envía ninguno.',
  },
  code: {
    label: 'Código del correo',
    hint: (minutes: number) => `Está en el correo y vale durante ${minutes} minutos.`,
    missing: 'Escribe todas las cifras del código del correo.',
    tooMany: 'Se han probado demasiados códigos. Usa el enlace del correo o espera un rato.',
    wrong: (tries: number) =>
      `Este código no es correcto o ya no vale. Tras ${tries} intentos fallidos hace falta otro correo.`,
  },
  link: {
    incompleteTitle: 'Este enlace está incompleto',
    incomplete: 'Le falta una parte. Ábrelo de nuevo desde el correo o cópialo entero.',
    usedTitle: 'Este enlace ya no sirve',
    used: 'Ya se ha usado o ha caducado.',
    continueTo: (site: string) => `Continuar a ${site}`,
  },
  magic: {
    title: 'Iniciar sesión por correo',
    metaDescription: 'Inicia sesión con un enlace o un código que te enviamos por correo.',
    lead: 'Te enviamos un enlace y un código: no necesitas contraseña. Si aún no tienes cuenta, así se crea una.',
    send: 'Enviarme un enlace de acceso',
    sentTitle: 'Mira tu correo',
    sent: (email: string) =>
      `Hay un correo en camino a ${email}. Abre el enlace que contiene o escribe aquí su código.`,
    sentForCode: (email: string) =>
      `Hay un correo en camino a ${email}. Escribe aquí su código para continuar.`,
    signIn: 'Iniciar sesión',
    signingIn: 'Iniciando sesión…',
    linkTitle: 'Iniciar sesión',
    linkLead: 'Pulsa el botón para iniciar sesión. El enlace sirve una sola vez.',
    redirectLead: (site: string) =>
      `Pulsa el botón para continuar a ${site}, donde iniciarás sesión. El enlace sirve una sola vez.`,
    requestAgain: 'Pedir otro enlace',
    withPassword: 'Iniciar sesión con contraseña',
  },
  forgot: {
    title: '¿Has olvidado tu contraseña?',
    metaDescription: 'Elige una contraseña nueva con un enlace o un código que te enviamos por correo.',
    lead: 'Dinos tu dirección y te enviamos un enlace y un código para elegir una nueva.',
    send: 'Enviarme el correo',
    sentTitle: 'Mira tu correo',
    sent: (email: string) =>
      `Si hay una cuenta con la dirección ${email}, el correo ya está en camino. Abre el enlace que contiene o escribe aquí su código.`,
    back: 'Volver a iniciar sesión',
  },
  reset: {
    title: 'Elegir una contraseña nueva',
    metaDescription: 'Elige una contraseña nueva para tu cuenta.',
    lead: 'Se cerrará tu sesión en todos los dispositivos.',
    newPassword: 'Contraseña nueva',
    passwordHint: 'Al menos 10 caracteres, y que no sea de las más comunes.',
    passwordMissing: 'Escribe una contraseña nueva.',
    save: 'Guardar la contraseña nueva',
    saving: 'Guardando…',
    doneTitle: 'Tu contraseña ha cambiado',
    done: 'A partir de ahora inicias sesión con la nueva. Se ha cerrado la sesión en todos los dispositivos.',
    signIn: 'Iniciar sesión',
    redirectLead: (site: string) => `La contraseña nueva se elige en ${site}.`,
    requestAgain: 'Pedir otro correo',
  },
  /** For an account whose address was never verified, before its password ends. */
  claim: {
    title: 'Antes de continuar',
    lead: 'Hasta ahora nadie ha demostrado que esta dirección sea suya. Su cuenta tiene una contraseña que elegiste tú o eligió un desconocido. Si continúas sin ella, deja de valer y se cierra la sesión de todas las personas que estén en la cuenta.',
    passwordHint: 'Con ella, todo sigue como está.',
    newPassword: 'O una contraseña nueva',
    newPasswordHint:
      'Si dejas los dos campos vacíos, la cuenta no tiene contraseña y se inicia sesión por correo.',
  },
  verify: {
    title: 'Confirma tu dirección',
    metaDescription: 'Confirma la dirección de correo de tu cuenta.',
    lead: 'Pulsa el botón para demostrar que esta dirección es tuya.',
    confirm: 'Confirmar mi dirección',
    confirming: 'Confirmando…',
    doneTitle: 'Tu dirección está confirmada',
    done: 'Gracias. Eso era todo.',
    failedTitle: 'No se ha podido confirmar esta dirección',
    failed:
      'El enlace ya se ha usado o ha caducado. Si tu dirección ya está confirmada, no hay nada más que hacer; si no, pide otro correo desde la página de tu cuenta.',
    toAccount: 'Ir a mi cuenta',
    password: 'La contraseña que elegiste',
    passwordWrong: 'Esta no es la contraseña de la cuenta.',
    doneWithoutPassword:
      'Ahora la dirección es solo tuya: se ha cerrado la sesión de todos los que estaban en la cuenta y su contraseña ya no vale. Inicia sesión por correo y elige tu propia contraseña si quieres.',
    doneNewPassword:
      'Ahora la dirección es solo tuya: se ha cerrado la sesión de todos los que estaban en la cuenta. A partir de ahora inicias sesión con tu contraseña nueva.',
    toSignIn: 'Iniciar sesión por correo',
    goOn: 'Continuar',
  },
  notices: {
    title: 'Correos sobre comentarios nuevos',
    metaDescription: 'Deja de recibir correos sobre los comentarios nuevos en tus publicaciones.',
    lead: '¿Para qué publicaciones no quieres recibirlos más? Puedes cambiarlo en tu cuenta.',
    one: 'Para esta publicación',
    all: 'Para todas mis publicaciones',
    stopping: 'Un momento…',
    doneTitle: 'No recibirás más estos correos',
    doneOne: 'Ya no te escribiremos sobre los comentarios nuevos en esta publicación.',
    doneAll: 'Ya no te escribiremos sobre los comentarios nuevos en tus publicaciones.',
    toAccount: 'Ir a mi cuenta',
    named: {
      title: 'Correos sobre publicaciones que le nombran',
      lead: '¿No quiere recibirlos más? Puede cambiarlo en su cuenta.',
      all: 'No recibirlos más',
      doneAll: 'Ya no le escribiremos sobre publicaciones que le nombran.',
    },
  },
};
