import { detectLanguage } from '@fabrica/dose-guard/detect-language';
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
