import type { contact as original } from '../en/contact.ts';

export const contact: typeof original = {
  title: 'Contacto',
  lead: 'Una pregunta, una corrección, una imagen que merece estar junto a uno de estos textos: escríbanos.',
  description: (site) => `Escriba a ${site}.`,
  name: 'Nombre',
  email: 'Correo electrónico',
  message: 'Mensaje',
  send: 'Enviar mensaje',
  sending: 'Enviando…',
  nameRequired: 'Escriba su nombre.',
  emailRequired: 'Escriba su correo electrónico.',
  emailInvalid: 'Escriba una dirección de correo electrónico válida.',
  messageRequired: 'Escriba un mensaje.',
  sent: '¡Mensaje enviado correctamente!',
  sentDescription: 'Le responderemos pronto.',
  failed: 'No se ha podido enviar el mensaje. Inténtelo de nuevo.',
  tooMany: 'Ya ha escrito varios mensajes. Inténtelo de nuevo dentro de una hora.',
};
