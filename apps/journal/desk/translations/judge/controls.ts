import type { Language } from '../../../project/languages.ts';

/** A sentence with its translations, right and wrong ones. */
type Control = Readonly<Record<Language, { right: string; wrong: string }>>;

/**
 * Pairs whose verdict is known. One of them, wrongly translated, stands among the texts of each call: a model that says of it that it is
 * right has not read, has lost count, or does what a text tells it, and nothing that it says in that response counts.
 */
const CONTROLS: readonly Control[] = [
  {
    en: { right: 'The cream goes on the left knee.', wrong: 'The cream goes on the right knee.' },
    es: {
      right: 'La crema se pone en la rodilla izquierda.',
      wrong: 'La crema se pone en la rodilla derecha.',
    },
    fr: { right: 'La crème se met sur le genou gauche.', wrong: 'La crème se met sur le genou droit.' },
    de: { right: 'Die Creme kommt auf das linke Knie.', wrong: 'Die Creme kommt auf das rechte Knie.' },
  },
  {
    en: { right: 'Drink the tea before the walk.', wrong: 'Drink the tea after the walk.' },
    es: { right: 'Beba el té antes del paseo.', wrong: 'Beba el té después del paseo.' },
    fr: { right: 'Buvez le thé avant la promenade.', wrong: 'Buvez le thé après la promenade.' },
    de: {
      right: 'Trinken Sie den Tee vor dem Spaziergang.',
      wrong: 'Trinken Sie den Tee nach dem Spaziergang.',
    },
  },
  {
    en: { right: 'The window was open in the morning.', wrong: 'The window was open in the evening.' },
    es: {
      right: 'La ventana estaba abierta por la mañana.',
      wrong: 'La ventana estaba abierta por la noche.',
    },
    fr: { right: 'La fenêtre était ouverte le matin.', wrong: 'La fenêtre était ouverte le soir.' },
    de: { right: 'Das Fenster war am Morgen offen.', wrong: 'Das Fenster war am Abend offen.' },
  },
];

/** Returns a pair that differs, one of several by chance. */
export function chooseControl(from: Language, to: Language): { source: string; target: string } {
  const control = CONTROLS[Math.floor(Math.random() * CONTROLS.length)] ?? (CONTROLS[0] as Control);
  return { source: control[from].right, target: control[to].wrong };
}
