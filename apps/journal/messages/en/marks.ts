/** The texts around the marks of a plate, which posts with marks load alone. */
export const marks = {
  legend: 'Legend',
  plate: 'The plate with its marks',
  mark: (letter: string, words: string, place: string, at: number, count: number) =>
    `Mark ${letter}: ${words}, ${place}, ${at} of ${count}`,
  placed: (letter: string, place: string, at: number, count: number) =>
    `Mark ${letter}, ${place}, ${at} of ${count}: `,
  /** By thirds of the plate, from the top and from the left. */
  places: [
    ['upper left', 'top', 'upper right'],
    ['left', 'middle', 'right'],
    ['lower left', 'bottom', 'lower right'],
  ],
  toPassage: (letter: string) => `Mark ${letter} in the text`,
  backToText: 'Back to the text',
  previous: 'Previous mark',
  next: 'Next mark',
  pin: 'Pin the plate',
  putAway: 'Put the plate away',
  description: 'Description of the plate',
};
