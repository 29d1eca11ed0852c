import type { marks as source } from '../en/marks.ts';

export const marks: typeof source = {
  legend: 'Legende',
  plate: 'Die Tafel mit ihren Marken',
  mark: (letter, words, place, at, count) => `Marke ${letter}: ${words}, ${place}, ${at} von ${count}`,
  placed: (letter, place, at, count) => `Marke ${letter}, ${place}, ${at} von ${count}: `,
  places: [
    ['oben links', 'oben', 'oben rechts'],
    ['links', 'in der Mitte', 'rechts'],
    ['unten links', 'unten', 'unten rechts'],
  ],
  toPassage: (letter) => `Marke ${letter} im Text`,
  backToText: 'Zurück zum Text',
  previous: 'Vorige Marke',
  next: 'Nächste Marke',
  pin: 'Tafel anheften',
  putAway: 'Tafel weglegen',
  description: 'Beschreibung der Tafel',
};
