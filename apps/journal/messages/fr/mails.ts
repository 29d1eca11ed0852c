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
    ignore: 'Si ce n’était pas vous, ignorez simplement cet e-mail.',
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
  'confirm-change': {
    subject: (site) => `Un code pour confirmer un changement sur ${site}`,
    title: 'Confirmez un changement',
    lead: (host) =>
      `Une personne connectée à votre compte sur ${host} veut le modifier. Ce code le confirme :`,
    ignore:
      'Si ce n’était pas vous, ne communiquez ce code à personne : déconnectez tous vos appareils depuis la page de votre compte et choisissez un nouveau mot de passe.',
  },
  ownerNotice: {
    when: (date) => `Quand : ${date}`,
    device: (device) => `Où : ${device}`,
    advice:
      'Si c’était vous, il n’y a rien à faire. Sinon, ouvrez vous-même le site, choisissez un nouveau mot de passe avec « Mot de passe oublié ? » et déconnectez tous vos appareils depuis la page de votre compte.',
    adviceToAdmins:
      'Tous les administrateurs reçoivent cet e-mail. Si ce n’est aucun de vous, le compte d’un administrateur est en de mauvaises mains : reprenez le rôle à la page « Personnes », et demandez à cet administrateur de choisir un nouveau mot de passe.',
    adviceAfterDeletion:
      'Si ce n’était pas vous, écrivez aux responsables de ce site. Vous ne pouvez pas rétablir vous-même ce qui a été supprimé.',
  },
  'password-changed': {
    subject: (site) => `Votre mot de passe pour ${site} a été changé`,
    title: 'Votre mot de passe a été changé',
    lead: (host) =>
      `Votre compte sur ${host} a un nouveau mot de passe. Tous les autres appareils ont été déconnectés.`,
  },
  'account-deleted': {
    subject: (site) => `Votre compte sur ${site} a été supprimé`,
    title: 'Votre compte a été supprimé',
    lead: (host) => `Votre compte sur ${host} a été supprimé, avec tout ce qui n’appartenait qu’à vous.`,
  },
  'data-exported': {
    subject: (site) => `Vos données sur ${site} ont été téléchargées`,
    title: 'Vos données ont été téléchargées',
    lead: (host) => `Une copie de toutes les données de votre compte sur ${host} a été téléchargée.`,
  },
  'provider-linked': {
    subject: (site) => `Un nouveau moyen de connexion à ${site}`,
    title: 'Un nouveau moyen de connexion',
    lead: (host, subject) =>
      `Désormais, ${subject} donne accès à votre compte sur ${host}, car la même adresse e-mail y est confirmée.`,
  },
  'new-device': {
    subject: (site) => `Une nouvelle connexion à ${site}`,
    title: 'Connexion depuis un nouvel appareil',
    lead: (host) =>
      `Quelqu’un s’est connecté à votre compte sur ${host} depuis un appareil que nous ne connaissions pas.`,
  },
  'factor-added': {
    subject: (site) => `Une deuxième étape pour vous connecter à ${site}`,
    title: 'Une deuxième étape a été ajoutée',
    lead: (host, subject) =>
      `« ${subject} » a été ajouté à votre compte sur ${host} : une clé d’accès ou une application qui montre, à chaque connexion, que c’est bien vous.`,
  },
  'factor-removed': {
    subject: (site) => `Une deuxième étape a été retirée sur ${site}`,
    title: 'Une deuxième étape a été retirée',
    lead: (host, subject) => `« ${subject} » ne donne plus accès à votre compte sur ${host}.`,
  },
  'factors-reset': {
    subject: (site) => `Vos deuxièmes étapes ont été retirées sur ${site}`,
    title: 'Vos deuxièmes étapes ont été retirées',
    lead: (host) =>
      `Les responsables du site ont retiré les clés d’accès, l’application et les codes de secours de votre compte sur ${host} et vous ont déconnecté partout. Désormais, le mot de passe ou un lien reçu par e-mail suffit pour se connecter.`,
  },
  'recovery-codes-made': {
    subject: (site) => `De nouveaux codes de secours pour ${site}`,
    title: 'Vous avez de nouveaux codes de secours',
    lead: (host) =>
      `De nouveaux codes de secours ont été créés pour votre compte sur ${host}. Les précédents ne sont plus valables.`,
  },
  'recovery-code-used': {
    subject: (site) => `Un code de secours a été utilisé sur ${site}`,
    title: 'Un code de secours a été utilisé',
    lead: (host, subject) =>
      `Un code de secours a été utilisé pour votre compte sur ${host}. Codes restants : ${subject}.`,
  },
  'codes-guessed': {
    subject: (site) => `Des codes erronés pour votre compte sur ${site}`,
    title: 'Quelqu’un saisit des codes erronés',
    lead: (host) =>
      `Pour votre compte sur ${host}, tant de codes de votre application ont été saisis aujourd’hui que nous n’en acceptons plus jusqu’à demain. La personne qui les a saisis a passé la première étape de la connexion. Vos clés d’accès et vos codes de secours restent valables.`,
  },
  'role-changed': {
    subject: (site) => `Un rôle a été changé sur ${site}`,
    title: 'Un rôle a été changé',
    lead: (host, subject) => `Un compte de ${host} a désormais un autre rôle. ${subject}.`,
  },
  named: {
    title: (count: number, site: string) =>
      count === 1 ? `Un article de ${site} vous nomme` : `${count} articles de ${site} vous nomment`,
    lead: (count: number) =>
      `Votre compte a été nommé parmi les personnes ${count === 1 ? 'd’un article' : 'de plusieurs articles'}. Tant que vous n’avez pas accepté, votre nom y figure en texte simple, sans rien d’autre de vous. Vous pouvez aussi le retirer.`,
    button: 'Répondre sur votre compte',
    why: 'Vous recevez cet e-mail parce que votre compte est nommé : un par heure au plus.',
    stop: 'Ne plus recevoir ces e-mails',
  },
  'new-comments': {
    subject: (count: number, post: string) =>
      count === 1
        ? `Un nouveau commentaire sur « ${post} »`
        : `${count} nouveaux commentaires sur « ${post} »`,
    title: (count: number) => (count === 1 ? 'Un nouveau commentaire' : `${count} nouveaux commentaires`),
    lead: (post: string) => `Sur votre article « ${post} » :`,
    more: (count: number) => (count === 1 ? 'Et un de plus.' : `Et ${count} de plus.`),
    button: 'Lire et répondre',
    why: 'Vous recevez cet e-mail parce que l’article est le vôtre : un par heure au plus, avec tout ce qui est arrivé entre-temps.',
    stop: 'Ne plus recevoir ces e-mails',
  },
};
