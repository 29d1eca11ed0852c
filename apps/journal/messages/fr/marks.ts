import type { marks as source } from '../en/marks.ts';

export const marks: typeof source = {
  legend: 'Légende',
  plate: 'La planche et ses repères',
  mark: (letter, words, place, at, count) => `Repère ${letter} : ${words}, ${place}, ${at} sur ${count}`,
  placed: (letter, place, at, count) => `Repère ${letter}, ${place}, ${at} sur ${count} : `,
  places: [
    ['en haut à gauche', 'en haut', 'en haut à droite'],
    ['à gauche', 'au centre', 'à droite'],
    ['en bas à gauche', 'en bas', 'en bas à droite'],
  ],
  toPassage: (letter) => `Repère ${letter} dans le texte`,
  backToText: 'Revenir au texte',
  previous: 'Repère précédent',
  next: 'Repère suivant',
  pin: 'Épingler la planche',
  putAway: 'Ranger la planche',
  description: 'Description de la planche',
};
