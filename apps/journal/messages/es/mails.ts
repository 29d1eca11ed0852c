import type { mails as source } from '../en/mails.ts';

export const mails: typeof source = {
  linkLead: 'Si el botón no funciona, copie esta dirección en su navegador:',
  linkValid: (time: string) => `El enlace es válido durante ${time} y solo se puede usar una vez.`,
  codeLead: 'O escriba este código en la página que le lo pida:',
  codeValid: (time: string) => `El código es válido durante ${time}.`,
  neverAsked: 'Nunca le pediremos este código por teléfono, por correo ni por chat. No se lo dé a nadie.',
  'verify-email': {
    subject: (site) => `Verifique su correo electrónico para ${site}`,
    title: 'Verifique su correo electrónico',
    lead: (site: string) =>
      `Se ha creado una cuenta en ${site} con este correo electrónico. Verifíquelo solo si la creó usted.`,
    button: 'Verificar correo',
    ignore: 'Si no ha sido usted, ignore este mensaje.',
  },
  'magic-link': {
    subject: (site) => `Su enlace para iniciar sesión en ${site}`,
    title: 'Iniciar sesión',
    lead: (site: string) =>
      `Con este enlace inicia sesión en ${site}. Si aún no hay ninguna cuenta con este correo, se creará una.`,
    button: 'Iniciar sesión',
    ignore: 'Si no lo ha pedido usted, ignore este mensaje: nadie puede entrar sin el enlace o el código.',
  },
  'reset-password': {
    subject: (site) => `Una contraseña nueva para ${site}`,
    title: 'Elija una contraseña nueva',
    lead: (site: string) => `Se ha solicitado una contraseña nueva para su cuenta en ${site}.`,
    button: 'Elegir contraseña',
    ignore: 'Si no ha sido usted, ignore este mensaje: su contraseña seguirá siendo la misma.',
  },
  'confirm-change': {
    subject: (site) => `Un código para confirmar un cambio en ${site}`,
    title: 'Confirme un cambio',
    lead: (host) =>
      `Alguien con la sesión iniciada en su cuenta de ${host} quiere cambiarla. Este código lo confirma:`,
    ignore:
      'Si no ha sido usted, no se lo dé a nadie: cierre la sesión en todas partes desde la página de su cuenta y elija una contraseña nueva.',
  },
  ownerNotice: {
    when: (date) => `Cuándo: ${date}`,
    device: (device) => `Dónde: ${device}`,
    advice:
      'Si ha sido usted, no tiene que hacer nada. Si no, abra el sitio por su cuenta, elija una contraseña nueva con «¿Ha olvidado su contraseña?» y cierre la sesión en todas partes desde la página de su cuenta.',
    adviceToAdmins:
      'Este correo llega a todos los administradores. Si no ha sido ninguno de ustedes, la cuenta de un administrador está en malas manos: retire la función en la página «Personas» y pida a ese administrador que elija una contraseña nueva.',
    adviceAfterDeletion:
      'Si no ha sido usted, escriba a quienes llevan este sitio. Lo eliminado no se puede recuperar por cuenta propia.',
  },
  'password-changed': {
    subject: (site) => `Su contraseña de ${site} ha cambiado`,
    title: 'Su contraseña ha cambiado',
    lead: (host) =>
      `Su cuenta de ${host} tiene una contraseña nueva. La sesión se ha cerrado en los demás dispositivos.`,
  },
  'account-deleted': {
    subject: (site) => `Su cuenta de ${site} se ha eliminado`,
    title: 'Su cuenta se ha eliminado',
    lead: (host) => `Su cuenta de ${host} se ha eliminado, con todo lo que era solo suyo.`,
  },
  'data-exported': {
    subject: (site) => `Se han descargado sus datos de ${site}`,
    title: 'Se han descargado sus datos',
    lead: (host) => `Se ha descargado una copia de todos los datos de su cuenta de ${host}.`,
  },
  'provider-linked': {
    subject: (site) => `Una nueva forma de iniciar sesión en ${site}`,
    title: 'Una nueva forma de iniciar sesión',
    lead: (host, subject) =>
      `Desde ahora puede entrar en su cuenta de ${host} con ${subject}, que ha confirmado el mismo correo electrónico.`,
  },
  'new-device': {
    subject: (site) => `Un nuevo inicio de sesión en ${site}`,
    title: 'Inicio de sesión desde un dispositivo nuevo',
    lead: (host) =>
      `Alguien ha iniciado sesión en su cuenta de ${host} con un dispositivo que no habíamos visto antes.`,
  },
  'factor-added': {
    subject: (site) => `Un segundo paso para iniciar sesión en ${site}`,
    title: 'Se ha añadido un segundo paso',
    lead: (host, subject) =>
      `Se ha añadido «${subject}» a su cuenta de ${host}: una llave de acceso o una aplicación que demuestra, en cada inicio de sesión, que es usted.`,
  },
  'factor-removed': {
    subject: (site) => `Se ha quitado un segundo paso en ${site}`,
    title: 'Se ha quitado un segundo paso',
    lead: (host, subject) => `«${subject}» ya no da acceso a su cuenta de ${host}.`,
  },
  'factors-reset': {
    subject: (site) => `Se han quitado sus segundos pasos en ${site}`,
    title: 'Se han quitado sus segundos pasos',
    lead: (host) =>
      `Quienes administran el sitio han quitado las llaves de acceso, la aplicación y los códigos de recuperación de su cuenta de ${host} y han cerrado todas sus sesiones. A partir de ahora basta la contraseña o un enlace por correo para entrar.`,
  },
  'recovery-codes-made': {
    subject: (site) => `Nuevos códigos de recuperación para ${site}`,
    title: 'Tiene nuevos códigos de recuperación',
    lead: (host) =>
      `Se han creado nuevos códigos de recuperación para su cuenta de ${host}. Los anteriores ya no valen.`,
  },
  'recovery-code-used': {
    subject: (site) => `Se ha usado un código de recuperación en ${site}`,
    title: 'Se ha usado un código de recuperación',
    lead: (host, subject) =>
      `Se ha usado un código de recuperación de su cuenta de ${host}. Códigos que quedan: ${subject}.`,
  },
  'codes-guessed': {
    subject: (site) => `Códigos incorrectos para su cuenta de ${site}`,
    title: 'Alguien escribe códigos incorrectos',
    lead: (host) =>
      `Hoy se han escrito tantos códigos de su aplicación para su cuenta de ${host} que no aceptamos más hasta mañana. Quien los escribió había superado el primer paso del inicio de sesión. Sus llaves de acceso y sus códigos de recuperación siguen valiendo.`,
  },
  'role-changed': {
    subject: (site) => `Se ha cambiado una función en ${site}`,
    title: 'Se ha cambiado una función',
    lead: (host, subject) => `Una cuenta de ${host} tiene ahora otra función. ${subject}.`,
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
    lead: (post: string) => `En su publicación «${post}»:`,
    more: (count: number) => (count === 1 ? 'Y uno más.' : `Y ${count} más.`),
    button: 'Leer y responder',
    why: 'Recibe este correo porque la publicación es suya: uno por hora como mucho, con todo lo que haya llegado.',
    stop: 'No recibir más estos correos',
  },
};
