import type { contact as original } from '../en/contact.ts';

export const contact: typeof original = {
  title: 'Contact',
  lead: 'Une question, une correction, une image qui aurait sa place près d’un de ces textes : écrivez-nous.',
  description: (site) => `Écrivez à ${site}.`,
  name: 'Nom',
  email: 'E-mail',
  message: 'Message',
  send: 'Envoyer le message',
  sending: 'Envoi en cours…',
  nameRequired: 'Veuillez indiquer votre nom.',
  emailRequired: 'Veuillez indiquer votre adresse e-mail.',
  emailInvalid: 'Veuillez indiquer une adresse e-mail valide.',
  messageRequired: 'Veuillez écrire un message.',
  sent: 'Message envoyé !',
  sentDescription: 'Nous vous répondrons bientôt.',
  failed: 'L’envoi du message a échoué. Veuillez réessayer.',
  tooMany: 'Vous avez déjà écrit plusieurs messages. Veuillez réessayer dans une heure.',
};
