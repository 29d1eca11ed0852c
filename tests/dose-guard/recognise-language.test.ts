import { describe, expect, it, test } from 'vitest';
import { guessLanguage } from '../../apps/journal/app/language/guess-language.ts';
import { posts } from '../../apps/journal/project/demo/index.ts';
import { recogniseLanguage, recogniseOther } from '../../apps/journal/project/recognise-language.ts';
import { LANGUAGES, readSentences } from './read-sentences.ts';

const sentences = readSentences().flatMap(({ texts }) =>
  LANGUAGES.map((language) => ({ language, text: texts[language] })),
);

describe.each([
  ['the desk', recogniseLanguage, 0.96],
  ['pages', guessLanguage, 0.8],
])('as %s asks', (_, recognise, least) => {
  test('the language of every demo text is recognised, and of every paragraph no wrong one', () => {
    for (const { slug, content } of posts) {
      for (const language of LANGUAGES) {
        expect(recognise(content[language]), `${slug} ${language}`).toBe(language);
        for (const paragraph of content[language].split('\n\n')) {
          expect([language, undefined], paragraph).toContain(recognise(paragraph));
        }
      }
    }
  });

  test('of the sentences of the set, as many as stated are recognised, and none is taken for another language', () => {
    const found = sentences.map(({ language, text }) => [language, recognise(text), text]);
    expect(found.filter(([language, guess]) => guess !== undefined && guess !== language)).toEqual([]);
    const right = found.filter(([language, guess]) => guess === language);
    expect(right.length / found.length).toBeGreaterThan(least);
  });

  test.each([
    '',
    'Aorta',
    '心臓は血液を送り出す。',
    'Il cuore è un muscolo che pompa il sangue nelle arterie.',
    'O paciente deve tomar um comprimido por dia durante sete dias.',
    'De patiënt moet elke dag een tablet van 5 mg in de ochtend innemen.',
    '42 % 10 mg',
  ])('the language of %j is not told', (text) => {
    expect(recognise(text)).toBeUndefined();
  });
});

describe('another language than the expected one', () => {
  const clauses = sentences.flatMap(({ language, text }) =>
    text.split(/[.,;:!?–—()“”„«»"]+/).map((clause) => ({ language, text: clause })),
  );
  const seenIn = (texts: typeof sentences) =>
    texts.flatMap(({ language, text }) => {
      const other = recogniseOther(text, language);
      return other === undefined ? [] : [[language, other, text]];
    });
  const isShort = ({ text }: { text: string }) => (text.match(/\p{L}{2,}/gu) ?? []).length < 6;

  it('is seen in none of the sentences of the set, nor in a clause of six words or more', () => {
    expect(clauses.length).toBeGreaterThan(8_000);
    expect(seenIn([...sentences, ...clauses.filter((clause) => !isShort(clause))])).toEqual([]);
  });

  it('is seen in at most one of 500 shorter clauses', () => {
    const short = clauses.filter(isShort);
    expect(seenIn(short).length / short.length).toBeLessThan(1 / 500);
  });

  it('is seen in 97 of 100 of them that ought to be in another one', () => {
    const pairs = sentences.flatMap(({ language, text }) =>
      LANGUAGES.filter((other) => other !== language).map((other) => recogniseOther(text, other)),
    );
    const seen = pairs.filter((other) => other !== undefined);
    expect(seen.length / pairs.length).toBeGreaterThan(0.97);
  });

  it.each([
    'Il cuore e i polmoni',
    'La pressione alta e il cuore',
    'Prendere una compressa al giorno durante i pasti.',
    'O coração e os pulmões',
    'Neem elke dag een tablet van 5 mg in de ochtend.',
    'Het hart en de longen',
    'Ta en tablett om dagen i samband med måltid.',
    'Blodet løber gennem arterierne og vender tilbage til hjertet.',
    'Należy przyjmować jedną tabletkę dziennie podczas posiłku.',
    'Užívejte jednu tabletu denně s jídlem.',
    'Luați un comprimat pe zi în timpul mesei.',
    'Preneu un comprimit al dia durant els àpats.',
    'Vegyen be naponta egy tablettát étkezés közben.',
    'Сердце — это мышца.',
    '心臓は血液を送り出す。',
    'Η καρδιά είναι ένας μυς.',
    'القلب عضلة',
  ])('is seen in %j, whichever of the journal’s it ought to be in', (text) => {
    for (const language of LANGUAGES) expect(recogniseOther(text, language)).toBeDefined();
  });

  it.each(['α-β', 'β-Blocker senken den Puls', 'Diabetes mellitus', 'Helicobacter pylori', ''])(
    'is not seen in %j',
    (text) => {
      expect(recogniseOther(text, 'de')).toBeUndefined();
    },
  );
});
