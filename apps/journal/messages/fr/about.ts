import type { about as source } from '../en/about.ts';

export const about: typeof source = {
  title: 'À propos de moi',
  description: (site) => `Ce qu’est ${site}, qui le publie et pourquoi.`,
  whoIAm: {
    heading: 'Qui je suis',
    text: 'La présentation de la personne qui publie cette revue n’est pas encore écrite.',
  },
  vision: {
    heading: 'Ma vision',
    text: 'Un texte médical aussi clair qu’un bon dessin, une image aussi rigoureuse qu’un bon texte : pour que patients, étudiants et tous ceux qui aiment regarder en emportent quelque chose.',
  },
  why: {
    heading: 'Pourquoi cette revue',
    text: 'Un texte dit ce qu’il faut savoir, une image montre où regarder. Ici, ils paraissent ensemble, chacun au service de l’autre.',
  },
  quote: 'Un texte et une image, côte à côte.',
  counting:
    'Cette revue compte combien de fois ses pages sont ouvertes et ses textes lus jusqu’au bout, dans quelle langue et depuis quel site. Elle le fait sans cookies, ni noms, ni adresses, et pas du tout si votre navigateur demande à ne pas être suivi.',
};
