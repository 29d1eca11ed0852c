import { detectLanguage, recogniseLanguage } from '@fabrica/dose-guard/detect-language';
import { expect, test } from 'vitest';
import { posts } from '../../apps/journal/project/demo/index.ts';
import { LANGUAGES, readSentences } from './read-sentences.ts';

test('the language of every demo text is detected, and of every paragraph no wrong one', () => {
  for (const { slug, content } of posts) {
    for (const language of LANGUAGES) {
      expect(detectLanguage(content[language]), `${slug} ${language}`).toBe(language);
      for (const paragraph of content[language].split('\n\n')) {
        expect([language, undefined], paragraph).toContain(detectLanguage(paragraph));
      }
    }
  }
});

test('of all sentences of the set, the language of four in five is detected, and none is taken for another language', () => {
  const texts = readSentences().flatMap((sentence) =>
    LANGUAGES.map((language) => ({ language, text: sentence.texts[language] })),
  );
  const guesses = texts.map(({ language, text }) => [language, detectLanguage(text)]);
  expect(guesses.filter(([language, guess]) => guess !== undefined && guess !== language)).toEqual([]);
  const detected = guesses.filter(([, guess]) => guess !== undefined);
  expect(detected.length / texts.length).toBeGreaterThan(0.8);
});

test.each([
  '',
  'Aorta',
  '心臓は血液を送り出す。',
  'Il cuore è un muscolo che pompa il sangue nelle arterie.',
  'O paciente deve tomar um comprimido por dia durante sete dias.',
  'De patiënt moet elke dag een tablet van 5 mg in de ochtend innemen.',
  '42 % 10 mg',
])('the language of %j is not guessed', (text) => {
  expect(detectLanguage(text)).toBeUndefined();
});

test.each([
  ['it', 'Il cuore è un muscolo che pompa il sangue nelle arterie della gamba.'],
  ['pt', 'O paciente não deve tomar um comprimido por dia com os alimentos.'],
  ['nl', 'Het hart is een spier en wordt door het bloed zelf niet gevoed.'],
  ['sv', 'Hjärtat är en muskel och det pumpar blod till kroppen.'],
  ['da', 'Hjertet er en muskel og det pumper blod til kroppen efter hver dosis.'],
  ['pl', 'Serce jest mięśniem, który nie może być zatrzymany przez lekarza.'],
  ['cs', 'Srdce je sval, který není řízen vůlí, ale může být zastaven při dávce.'],
  ['ro', 'Inima este un mușchi care nu poate fi oprit și trebuie hrănit din sânge.'],
  ['other script', 'Сердце — это мышца.'],
  ['other script', '心臓は血液を送り出す。'],
  ['other script', 'Η καρδιά είναι ένας μυς.'],
  ['other script', 'القلب عضلة'],
  [undefined, 'α-β'],
  [undefined, 'β-Blocker senken den Puls'],
])('%s is recognised in %j, and taken for none that the guard reads', (language, text) => {
  expect(recogniseLanguage(text)).toBe(language);
  expect(detectLanguage(text)).toBeUndefined();
});
