import type { about as source } from '../en/about.ts';

export const about: typeof source = {
  title: 'Über mich',
  description: (site) => `Was ${site} ist, wer es veröffentlicht und warum.`,
  whoIAm: {
    heading: 'Wer ich bin',
    text: 'Wer dieses Journal veröffentlicht, hat sich hier noch nicht vorgestellt.',
  },
  vision: {
    heading: 'Meine Vision',
    text: 'Ein medizinischer Text, so klar wie eine gute Zeichnung, und ein Bild, so sorgfältig wie ein guter Text: damit Kranke, Studierende und alle, die gern hinsehen, etwas mitnehmen.',
  },
  why: {
    heading: 'Warum dieses Journal',
    text: 'Ein Text sagt, was man wissen kann, ein Bild zeigt, wohin man sehen muss. Hier erscheinen beide gemeinsam, eines um des anderen willen.',
  },
  quote: 'Ein Text und ein Bild, Seite an Seite.',
  counting:
    'Dieses Journal zählt, wie oft seine Seiten geöffnet und seine Texte zu Ende gelesen werden, in welcher Sprache und von welcher Website aus. Das geschieht ohne Cookies, Namen und Adressen, und gar nicht, wenn Ihr Browser darum bittet, nicht verfolgt zu werden.',
};
