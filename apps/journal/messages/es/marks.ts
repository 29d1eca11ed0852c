import type { marks as source } from '../en/marks.ts';

export const marks: typeof source = {
  legend: 'Leyenda',
  plate: 'La lámina con sus marcas',
  mark: (letter, words, place, at, count) => `Marca ${letter}: ${words}, ${place}, ${at} de ${count}`,
  placed: (letter, place, at, count) => `Marca ${letter}, ${place}, ${at} de ${count}: `,
  places: [
    ['arriba a la izquierda', 'arriba', 'arriba a la derecha'],
    ['a la izquierda', 'en el centro', 'a la derecha'],
    ['abajo a la izquierda', 'abajo', 'abajo a la derecha'],
  ],
  toPassage: (letter) => `Marca ${letter} en el texto`,
  backToText: 'Volver al texto',
  previous: 'Marca anterior',
  next: 'Marca siguiente',
  pin: 'Fijar la lámina',
  putAway: 'Retirar la lámina',
  description: 'Descripción de la lámina',
};
