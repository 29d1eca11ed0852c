import { expect, test } from 'vitest';
import { posts } from '../../project/demo/index.ts';
import { detectLanguage } from './detect-language.ts';
import { LANGUAGE_CODES } from './languages.ts';

test('the language of every demo text is detected, and of every paragraph no wrong one', () => {
  for (const { slug, content } of posts) {
    for (const language of LANGUAGE_CODES) {
      expect(detectLanguage(content[language]), `${slug} ${language}`).toBe(language);
      for (const paragraph of content[language].split('\n\n')) {
        expect([language, undefined], paragraph).toContain(detectLanguage(paragraph));
      }
    }
  }
});

test.each([
  '',
  'Aorta',
  '心臓は血液を送り出す。',
  'Il cuore è un muscolo che pompa il sangue nelle arterie.',
  '42 % 10 mg',
])('the language of %j is not guessed', (text) => {
  expect(detectLanguage(text)).toBeUndefined();
});
