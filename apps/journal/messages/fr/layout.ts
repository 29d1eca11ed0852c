import type { layout as original } from '../en/layout.ts';

export const layout: typeof original = {
  tagline: 'Une revue de médecine et d’art',
  skipToContent: 'Aller au contenu',
  home: (site) => `${site}, vers la galerie`,
  navigation: 'Principale',
  gallery: 'Galerie',
  about: 'À propos',
  contact: 'Contact',
  createPost: 'Créer un article',
  account: 'Compte',
  insights: 'Audience',
  insightsLead:
    'Comment les articles sont lus : vues, lecteurs, langues, d’où viennent les lecteurs et comment ils réagissent.',
  imprint: 'Mentions légales',
  privacy: 'Confidentialité',
  site: 'Réglages du site',
  signIn: 'Connexion admin',
  signOut: 'Se déconnecter',
  confirmSignOut:
    'Se déconnecter ? Votre brouillon sera supprimé de cet appareil, pour que personne d’autre ne l’y trouve.',
  signingOut: 'Déconnexion…',
  openMenu: 'Ouvrir le menu',
  closeMenu: 'Fermer le menu',
  language: 'Langue',
  languageFailed: 'La langue n’a pas pu être chargée',
  checkConnection: 'Vérifiez votre connexion et réessayez.',
  darkTheme: 'Thème sombre',
  notices: 'Notifications',
  closeNotice: 'Fermer',
  limit: {
    count: (count, limit) => `${count} caractères sur ${limit}`,
    near: (limit) => `Presque ${limit} caractères : on ne peut pas en envoyer davantage.`,
    passed: (limit) => `Plus de ${limit} caractères : l’envoi n’est pas possible ainsi.`,
    over: (characters, limit, excess) =>
      `${characters} ${excess === 1 ? 'caractère' : 'caractères'} de trop : raccourcissez à ${limit}.`,
  },
  namesake:
    'Ainsi nommée d’après De humani corporis fabrica de Vésale (1543), le livre où la médecine et l’art partagèrent pour la première fois une même page.',
  failedTitle: 'Cette page n’a pas pu être chargée',
  failedText:
    'Un incident s’est produit en chemin. Souvent, un second essai suffit ; sinon, vérifiez votre connexion.',
  tryAgain: 'Réessayer',
  loading: 'Chargement…',
  offline: {
    title: 'Vous êtes hors ligne',
    text: 'Cette page n’a pas encore été lue sur cet appareil. Celles que vous avez lues sont toujours là.',
    stays: 'Vous êtes hors ligne. Cette page reste affichée.',
  },
  brokenImage: 'Cette image n’a pas pu être chargée.',
  needsScript: 'Cette page nécessite JavaScript, désactivé dans votre navigateur.',
  openingQuote: '« ',
  closingQuote: ' »',
};
