import type { about as source } from '../en/about.ts';

export const about: typeof source = {
  title: 'À propos de moi',
  metaDescription:
    'Une médecin qui dessine, et une revue où textes médicaux et œuvres d’art s’éclairent mutuellement.',
  whoIAm: {
    heading: 'Qui je suis',
    body: [
      'Je suis Mara Lindqvist, médecin et dessinatrice. Le jour, j’écoute des cœurs ; le soir, j’essaie de coucher sur le papier ce que j’ai entendu. Longtemps, j’ai cru mener deux vies. Il n’y en a qu’une : l’une et l’autre sont des façons de prêter attention.',
      'J’ai appris l’anatomie un crayon à la main, car je ne comprenais un vaisseau qu’après l’avoir suivi d’un trait. C’est encore ainsi que j’explique une maladie à mes patients, au dos de la première feuille venue.',
    ],
  },
  vision: {
    heading: 'Ma vision',
    body: [
      'Je rêve d’un lieu où un texte médical serait aussi clair qu’un bon dessin, et un dessin aussi rigoureux qu’un bon texte ; où un patient, une étudiante et quelqu’un qui aime simplement les images pourraient s’arrêter devant la même planche et chacun en emporter quelque chose.',
      'Ce lieu doit être ouvert à tous, dans la langue où l’on pense quand on est inquiet. Chaque article se lit donc en anglais, en espagnol, en français et en allemand.',
    ],
  },
  why: {
    heading: 'Pourquoi cette revue',
    body: [
      'La médecine n’a jamais eu autant d’images et les a rarement regardées si vite. Les atlas anciens naissaient de médecins et d’artistes assis à la même table : l’un savait où regarder, l’autre savait comment. Chacun obligeait l’autre à rester honnête.',
      'Cette revue dresse à nouveau cette table. Une œuvre et un texte y paraissent ensemble, et aucun des deux n’est là pour décorer l’autre.',
    ],
  },
  quote: { text: 'Regarder assez longtemps, c’est déjà prendre soin.', source: 'Mara Lindqvist' },
  counting:
    'Cette revue compte combien de fois ses pages sont ouvertes et ses textes lus jusqu’au bout, dans quelle langue et depuis quel site. Elle le fait sans cookies, ni noms, ni adresses, et pas du tout si votre navigateur demande à ne pas être suivi.',
};
