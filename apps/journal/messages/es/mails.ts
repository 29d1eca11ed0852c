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
    ignore:
      'Si no has sido tú, no lo verifiques: otra persona tendría una cuenta a tu nombre. Ignora este mensaje.',
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
