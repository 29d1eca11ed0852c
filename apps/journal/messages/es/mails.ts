import type { mails as source } from '../en/mails.ts';

export const mails: typeof source = {
  linkLead: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  linkValid: (time: string) => `El enlace es válido durante ${time} y solo se puede usar una vez.`,
  codeLead: 'O escribe este código en la página que te lo pida:',
  codeValid: (time: string) => `El código es válido durante ${time}.`,
  neverAsked: 'Nunca te pediremos este código por teléfono, por correo ni por chat. No se lo des a nadie.',
  'verify-email': {
    subject: (site) => `Verifica tu correo electrónico para ${site}`,
    title: 'Verifica tu correo electrónico',
    lead: (site: string) =>
      `Se ha creado una cuenta en ${site} con este correo electrónico. Verifícalo solo si la creaste tú.`,
    button: 'Verificar correo',
    ignore: 'Si no has sido tú, ignora este mensaje.',
  },
  'magic-link': {
    subject: (site) => `Tu enlace para iniciar sesión en ${site}`,
    title: 'Iniciar sesión',
    lead: (site: string) =>
      `Con este enlace inicias sesión en ${site}. Si aún no hay ninguna cuenta con este correo, se creará una.`,
    button: 'Iniciar sesión',
    ignore: 'Si no lo has pedido tú, ignora este mensaje: nadie puede entrar sin el enlace o el código.',
  },
  'reset-password': {
    subject: (site) => `Una contraseña nueva para ${site}`,
    title: 'Elige una contraseña nueva',
    lead: (site: string) => `Se ha solicitado una contraseña nueva para tu cuenta en ${site}.`,
    button: 'Elegir contraseña',
    ignore: 'Si no has sido tú, ignora este mensaje: tu contraseña seguirá siendo la misma.',
  },
  'confirm-change': {
    subject: (site) => `Un código para confirmar un cambio en ${site}`,
    title: 'Confirma un cambio',
    lead: (host) =>
      `Alguien con la sesión iniciada en tu cuenta de ${host} quiere cambiarla. Este código lo confirma:`,
    ignore:
      'Si no has sido tú, no se lo des a nadie: cierra la sesión en todas partes desde la página de tu cuenta y elige una contraseña nueva.',
  },
  ownerNotice: {
    when: (date) => `Cuándo: ${date}`,
    device: (device) => `Dónde: ${device}`,
    advice:
      'Si has sido tú, no tienes que hacer nada. Si no, abre el sitio por tu cuenta, elige una contraseña nueva con «¿Has olvidado tu contraseña?» y cierra la sesión en todas partes desde la página de tu cuenta.',
    adviceAfterDeletion:
      'Si no has sido tú, escribe a quienes llevan este sitio. Lo eliminado no se puede recuperar por cuenta propia.',
  },
  'password-changed': {
    subject: (site) => `Tu contraseña de ${site} ha cambiado`,
    title: 'Tu contraseña ha cambiado',
    lead: (host) =>
      `Tu cuenta de ${host} tiene una contraseña nueva. La sesión se ha cerrado en los demás dispositivos.`,
  },
  'account-deleted': {
    subject: (site) => `Tu cuenta de ${site} se ha eliminado`,
    title: 'Tu cuenta se ha eliminado',
    lead: (host) => `Tu cuenta de ${host} se ha eliminado, con todo lo que era solo tuyo.`,
  },
  'data-exported': {
    subject: (site) => `Se han descargado tus datos de ${site}`,
    title: 'Se han descargado tus datos',
    lead: (host) => `Se ha descargado una copia de todos los datos de tu cuenta de ${host}.`,
  },
  'provider-linked': {
    subject: (site) => `Una nueva forma de iniciar sesión en ${site}`,
    title: 'Una nueva forma de iniciar sesión',
    lead: (host, subject) =>
      `Desde ahora puedes entrar en tu cuenta de ${host} con ${subject}, que ha confirmado el mismo correo electrónico.`,
  },
  'new-device': {
    subject: (site) => `Un nuevo inicio de sesión en ${site}`,
    title: 'Inicio de sesión desde un dispositivo nuevo',
    lead: (host) =>
      `Alguien ha iniciado sesión en tu cuenta de ${host} con un dispositivo que no habíamos visto antes.`,
  },
  'factor-added': {
    subject: (site) => `Un segundo paso para iniciar sesión en ${site}`,
    title: 'Se ha añadido un segundo paso',
    lead: (host, subject) =>
      `Se ha añadido «${subject}» a tu cuenta de ${host}: una llave de acceso o una aplicación que demuestra, en cada inicio de sesión, que eres tú.`,
  },
  'factor-removed': {
    subject: (site) => `Se ha quitado un segundo paso en ${site}`,
    title: 'Se ha quitado un segundo paso',
    lead: (host, subject) => `«${subject}» ya no da acceso a tu cuenta de ${host}.`,
  },
  'factors-reset': {
    subject: (site) => `Se han quitado tus segundos pasos en ${site}`,
    title: 'Se han quitado tus segundos pasos',
    lead: (host) =>
      `Quienes administran el sitio han quitado las llaves de acceso, la aplicación y los códigos de recuperación de tu cuenta de ${host} y han cerrado todas tus sesiones. A partir de ahora basta la contraseña o un enlace por correo para entrar.`,
  },
  'recovery-codes-made': {
    subject: (site) => `Nuevos códigos de recuperación para ${site}`,
    title: 'Tienes nuevos códigos de recuperación',
    lead: (host) =>
      `Se han creado nuevos códigos de recuperación para tu cuenta de ${host}. Los anteriores ya no valen.`,
  },
  'recovery-code-used': {
    subject: (site) => `Se ha usado un código de recuperación en ${site}`,
    title: 'Se ha usado un código de recuperación',
    lead: (host, subject) =>
      `Se ha usado un código de recuperación de tu cuenta de ${host}. Códigos que quedan: ${subject}.`,
  },
  'codes-guessed': {
    subject: (site) => `Códigos incorrectos para tu cuenta de ${site}`,
    title: 'Alguien escribe códigos incorrectos',
    lead: (host) =>
      `Hoy se han escrito tantos códigos de tu aplicación para tu cuenta de ${host} que no aceptamos más hasta mañana. Quien los escribió había superado el primer paso del inicio de sesión. Tus llaves de acceso y tus códigos de recuperación siguen valiendo.`,
  },
  named: {
    title: (count: number, site: string) =>
      count === 1 ? `Una publicación de ${site} le nombra` : `${count} publicaciones de ${site} le nombran`,
    lead: (count: number) =>
      `Alguien ha nombrado su cuenta entre las personas de ${count === 1 ? 'una publicación' : 'varias publicaciones'}. Hasta que lo acepte, su nombre figura allí como simple texto, sin nada más de usted. También puede quitarlo.`,
    button: 'Responder en su cuenta',
    why: 'Recibe este correo porque se nombra su cuenta: uno por hora como mucho.',
    stop: 'No recibir más estos correos',
  },
  'new-comments': {
    subject: (count: number, post: string) =>
      count === 1 ? `Un comentario nuevo en «${post}»` : `${count} comentarios nuevos en «${post}»`,
    title: (count: number) => (count === 1 ? 'Un comentario nuevo' : `${count} comentarios nuevos`),
    lead: (post: string) => `En tu publicación «${post}»:`,
    more: (count: number) => (count === 1 ? 'Y uno más.' : `Y ${count} más.`),
    button: 'Leer y responder',
    why: 'Recibes este correo porque la publicación es tuya: uno por hora como mucho, con todo lo que haya llegado.',
    stop: 'No recibir más estos correos',
  },
};
