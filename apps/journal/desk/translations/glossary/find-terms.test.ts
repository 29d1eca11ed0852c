import { expect, it } from 'vitest';
import { type Term, TermFinder } from './find-terms.ts';

const TERMS: Term[] = [
  { id: '1', words: { en: ['heart attack'], de: ['Herzinfarkt'] }, keep: false, note: '' },
  { id: '2', words: { en: ['Paracetamol'] }, keep: true, note: '' },
  { id: '3', words: { de: ['Arzt'], en: ['physician'] }, keep: false, note: '' },
  { id: '4', words: { en: ['MI'], de: ['HI'] }, keep: false, note: '' },
  { id: '6', words: { es: ['corazón'], de: ['Herz'] }, keep: false, note: '' },
  { id: '7', words: { fr: ['œil'], de: ['Auge'] }, keep: false, note: '' },
  { id: '5', words: { en: ['stroke'] }, keep: false, note: '' },
];

it.each([
  ['After two heart attacks', 'en', 'de', ['heart attack = Herzinfarkt']],
  ['HEART ATTACK', 'en', 'de', ['heart attack = Herzinfarkt']],
  ['Two heart-attack patients took paracetamol.', 'en', 'de', ['heart attack = Herzinfarkt', 'Paracetamol']],
  ['The attack of the heart, in Milan', 'en', 'de', []],
  ['An MI.', 'en', 'de', ['MI = HI']],
  ['Viele Ärzte sagen das.', 'de', 'en', ['Arzt = physician']],
  ['Take Paracetamol', 'de', 'fr', ['Paracetamol']],
  ['A stroke has no word in German here.', 'en', 'de', []],
  ['Corazones, yeux', 'es', 'de', ['corazón = Herz']],
  ['Les yeux et les infartus', 'fr', 'de', ['œil = Auge']],
  ['Des Herzens', 'de', 'es', ['Herz = corazón']],
] as const)('the terms of "%s" (%s to %s) are found in their forms', (text, source, target, found) => {
  const pairs = new TermFinder(TERMS, source, target).find(text);
  expect(
    pairs.map((pair) => (pair.target === null ? pair.source : `${pair.source} = ${pair.target}`)),
  ).toEqual(found);
});
