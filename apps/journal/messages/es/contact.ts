import type { contact as original } from '../en/contact.ts';

export const contact: typeof original = {
  title: 'Contacto',
  lead: 'Una pregunta, una corrección, una imagen que merece estar junto a uno de estos textos: escríbenos.',
  description: (site) => `Escribe a ${site}.`,
  name: 'Nombre',
  email: 'Correo electrónico',
  message: 'Mensaje',
  send: 'Enviar mensaje',
  sending: 'Enviando…',
  nameRequired: 'Escribe tu nombre.',
  emailRequired: 'Escribe tu correo electrónico.',
  emailInvalid: 'Escribe una dirección de correo electrónico válida.',
  messageRequired: 'Escribe un mensaje.',
  sent: '¡Mensaje enviado correctamente!',
  sentDescription: 'Te responderemos pronto.',
  failed: 'No se ha podido enviar el mensaje. Inténtalo de nuevo.',
  tooMany: 'Ya has escrito varios mensajes. Inténtalo de nuevo dentro de una hora.',
};
