import type { mails as source } from '../en/mails.ts';

export const mails: typeof source = {
  linkLead: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  linkValid: (time: string) => `Ce lien est valable ${time} et ne peut servir qu’une seule fois.`,
  codeLead: 'Ou saisissez ce code sur la page qui vous le demande :',
  codeValid: (time: string) => `Ce code est valable ${time}.`,
  neverAsked:
    'Nous ne demandons jamais ce code par téléphone, par e-mail ni par messagerie. Ne le communiquez à personne.',
  'verify-email': {
    subject: (site) => `Vérifiez votre adresse e-mail pour ${site}`,
    title: 'Vérifiez votre adresse e-mail',
    lead: (site: string) =>
      `Un compte a été créé sur ${site} avec cette adresse e-mail. Ne la vérifiez que si c’était vous.`,
    button: 'Vérifier l’adresse',
    ignore:
      'Si ce n’était pas vous, ne la vérifiez pas : quelqu’un d’autre aurait un compte à votre nom. Ignorez simplement cet e-mail.',
  },
  'magic-link': {
    subject: (site) => `Votre lien de connexion à ${site}`,
    title: 'Se connecter',
    lead: (site: string) =>
      `Ce lien vous connecte à ${site}. S’il n’existe pas encore de compte pour cette adresse, il sera créé.`,
    button: 'Se connecter',
    ignore:
      'Si vous n’avez rien demandé, ignorez simplement cet e-mail : personne ne peut se connecter sans le lien ou le code.',
  },
  'reset-password': {
    subject: (site) => `Un nouveau mot de passe pour ${site}`,
    title: 'Choisissez un nouveau mot de passe',
    lead: (site: string) => `Un nouveau mot de passe a été demandé pour votre compte sur ${site}.`,
    button: 'Choisir un mot de passe',
    ignore: 'Si ce n’était pas vous, ignorez simplement cet e-mail : votre mot de passe reste inchangé.',
  },
  'new-comments': {
    subject: (count: number, post: string) =>
      count === 1
        ? `Un nouveau commentaire sur « ${post} »`
        : `${count} nouveaux commentaires sur « ${post} »`,
    title: (count: number) => (count === 1 ? 'Un nouveau commentaire' : `${count} nouveaux commentaires`),
    lead: (post: string) => `Sur votre publication « ${post} » :`,
    more: (count: number) => (count === 1 ? 'Et un de plus.' : `Et ${count} de plus.`),
    button: 'Lire et répondre',
    why: 'Vous recevez cet e-mail parce que la publication est la vôtre : un par heure au plus, avec tout ce qui est arrivé entre-temps.',
    stop: 'Ne plus recevoir ces e-mails',
  },
};
