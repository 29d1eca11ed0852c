import type { authMail as source } from '../en/auth-mail-pages.ts';

export const authMail: typeof source = {
  send: {
    sending: 'Enviando…',
    spam: '¿No ha llegado en un par de minutos? Mire también en el correo no deseado.',
    code: 'Pedir un código',
    again: 'Pedir otro código',
    sentAgain: 'Hay otro correo en camino. Solo vale el código del más reciente.',
    otherEmail: 'Usar otra dirección',
  },
  /** For a site without a mail server. */
  unsent: {
    lead: 'Este sitio no envía correos: no tiene servidor de correo. Quien lo administra puede darle el enlace o el código.',
    requested:
      'No llegará ningún correo, porque este sitio no tiene servidor de correo. Pida el código a quien lo administra y escríbalo aquí.',
    byLink:
      'No llegará ningún correo, porque este sitio no tiene servidor de correo. Pida el enlace a quien lo administra.',
    magic: 'Iniciar sesión con un enlace o un código',
    password:
      '¿Aún no tiene contraseña o no la recuerda? Este sitio no envía correos; quien lo administra puede darle un enlace para que elija una nueva.',
    link: 'Pedir un enlace',
    newest: 'Solo vale el código más reciente.',
    none: 'Por ahora este sitio no tiene servidor de correo, así que no se envía ninguno.',
  },
  code: {
    label: 'Código',
    hint: (minutes: number) => `Vale durante ${minutes} minutos.`,
    missing: 'Escriba todas las cifras del código.',
    tooMany: 'Se han probado demasiados códigos. Use el enlace o espere un rato.',
    wrong: (tries: number) =>
      `Este código no es correcto o ya no vale. Tras ${tries} intentos fallidos hace falta otro.`,
  },
  link: {
    incompleteTitle: 'Este enlace está incompleto',
    incomplete: 'Le falta una parte. Ábralo de nuevo desde el correo o cópielo entero.',
    usedTitle: 'Este enlace ya no sirve',
    used: 'Ya se ha usado o ha caducado.',
    continueTo: (site: string) => `Continuar a ${site}`,
  },
  magic: {
    title: 'Iniciar sesión por correo',
    metaDescription: 'Inicie sesión con un enlace o un código que le enviamos por correo.',
    lead: 'Le enviamos un enlace y un código: no necesita contraseña. Si aún no tiene cuenta, así se crea una.',
    send: 'Enviarme un enlace de acceso',
    sentTitle: 'Mire su correo',
    sent: (email: string) =>
      `Hay un correo en camino a ${email}. Abra el enlace que contiene o escriba aquí su código.`,
    sentForCode: (email: string) =>
      `Hay un correo en camino a ${email}. Escriba aquí su código para continuar.`,
    signIn: 'Iniciar sesión',
    signingIn: 'Iniciando sesión…',
    linkTitle: 'Iniciar sesión',
    linkLead: 'Pulse el botón para iniciar sesión. El enlace sirve una sola vez.',
    redirectLead: (site: string) =>
      `Pulse el botón para continuar a ${site}, donde iniciará sesión. El enlace sirve una sola vez.`,
    requestAgain: 'Pedir otro enlace',
    withPassword: 'Iniciar sesión con contraseña',
  },
  forgot: {
    title: '¿Ha olvidado su contraseña?',
    metaDescription: 'Elija una contraseña nueva con un enlace o un código que le enviamos por correo.',
    lead: 'Díganos su dirección y le enviamos un enlace y un código para elegir una nueva.',
    send: 'Enviarme el correo',
    sentTitle: 'Mire su correo',
    sent: (email: string) =>
      `Si hay una cuenta con la dirección ${email}, el correo ya está en camino. Abra el enlace que contiene o escriba aquí su código.`,
    back: 'Volver a iniciar sesión',
  },
  reset: {
    title: 'Elegir una contraseña nueva',
    metaDescription: 'Elija una contraseña nueva para su cuenta.',
    lead: 'Se cerrará su sesión en todos los dispositivos.',
    newPassword: 'Contraseña nueva',
    passwordHint: 'Al menos 10 caracteres, y que no sea de las más comunes.',
    passwordMissing: 'Escriba una contraseña nueva.',
    save: 'Guardar la contraseña nueva',
    saving: 'Guardando…',
    doneTitle: 'Su contraseña ha cambiado',
    done: 'A partir de ahora inicia sesión con la nueva. Se ha cerrado la sesión en todos los dispositivos.',
    signIn: 'Iniciar sesión',
    redirectLead: (site: string) => `La contraseña nueva se elige en ${site}.`,
    requestAgain: 'Pedir otro enlace',
  },
  /** For an account whose address was never verified, before its password ends. */
  claim: {
    title: 'Antes de continuar',
    lead: 'Hasta ahora nadie ha demostrado que esta dirección sea suya. Su cuenta tiene una contraseña que eligió usted o eligió un desconocido. Si continúa sin ella, deja de valer y se cierra la sesión de todas las personas que estén en la cuenta.',
    passwordHint: 'Con ella, todo sigue como está.',
    newPassword: 'O una contraseña nueva',
    newPasswordHint:
      'Si deja los dos campos vacíos, la cuenta no tiene contraseña y se inicia sesión por correo.',
  },
  verify: {
    title: 'Confirme su dirección',
    metaDescription: 'Confirme la dirección de correo de su cuenta.',
    lead: 'Pulse el botón para demostrar que esta dirección es suya.',
    confirm: 'Confirmar mi dirección',
    confirming: 'Confirmando…',
    doneTitle: 'Su dirección está confirmada',
    done: 'Gracias. Eso era todo.',
    failedTitle: 'No se ha podido confirmar esta dirección',
    failed:
      'El enlace ya se ha usado o ha caducado. Si su dirección ya está confirmada, no hay nada más que hacer; si no, pida otro desde la página de su cuenta.',
    toAccount: 'Ir a mi cuenta',
    password: 'La contraseña que eligió',
    passwordWrong: 'Esta no es la contraseña de la cuenta.',
    doneWithoutPassword:
      'Ahora la dirección es solo suya: se ha cerrado la sesión de todos los que estaban en la cuenta y su contraseña ya no vale. Inicie sesión por correo y elija su propia contraseña si quiere.',
    doneNewPassword:
      'Ahora la dirección es solo suya: se ha cerrado la sesión de todos los que estaban en la cuenta. A partir de ahora inicia sesión con su contraseña nueva.',
    toSignIn: 'Iniciar sesión por correo',
    goOn: 'Continuar',
  },
  notices: {
    title: 'Correos sobre comentarios nuevos',
    metaDescription: 'Deje de recibir correos sobre los comentarios nuevos en sus publicaciones.',
    lead: '¿Para qué publicaciones no quiere recibirlos más? Puede cambiarlo en su cuenta.',
    one: 'Para esta publicación',
    all: 'Para todas mis publicaciones',
    stopping: 'Un momento…',
    doneTitle: 'No recibirá más estos correos',
    doneOne: 'Ya no le escribiremos sobre los comentarios nuevos en esta publicación.',
    doneAll: 'Ya no le escribiremos sobre los comentarios nuevos en sus publicaciones.',
    toAccount: 'Ir a mi cuenta',
    named: {
      title: 'Correos sobre publicaciones que le nombran',
      lead: '¿No quiere recibirlos más? Puede cambiarlo en su cuenta.',
      all: 'No recibirlos más',
      doneAll: 'Ya no le escribiremos sobre publicaciones que le nombran.',
    },
  },
};
