import type { FabricaClient } from '@fabrica/client';
import { expect, it } from 'vitest';
import { loadMessages } from '../../language/load-messages.ts';
import type { MissingPart } from '../publishing/post-publisher.ts';
import { describeFaults } from './describe-translations.ts';
import { translatePart } from './translate-part.ts';

const PART = { field: 'content', language: 'de' } as const;
const SOURCE =
  'Take **5 mg**[^1] :cite[a1].\n\n:::figure{src="/storage/a.webp?v=1" alt="A heart"}\nThe heart.\n:::\n\n[^1]: Daily.';
const GERMAN =
  'Nehmen Sie **5 mg**[^1] :cite[a1].\n\n:::figure{src="/storage/a.webp?v=1" alt="Ein Herz"}\nDas Herz.\n:::\n\n[^1]: Täglich.';

/** Translates with a model that returns this text. */
async function translate(response: string, format?: string, source = SOURCE) {
  const prompts: string[] = [];
  const streamText: FabricaClient['ai']['streamText'] = async (request) => {
    prompts.push('prompt' in request ? String(request.prompt) : '');
    return { text: response, finishReason: 'stop' } as Awaited<ReturnType<FabricaClient['ai']['streamText']>>;
  };
  const ai = { streamText } as FabricaClient['ai'];
  const { signal } = new AbortController();
  const translation = await translatePart(PART, source, { ai, signal, format });
  return { translation, prompt: prompts[0] ?? '' };
}

it('a model is told to keep the marks of a text that is more than plain, and only of such a text', async () => {
  const { translation, prompt } = await translate(GERMAN, 'markdown');
  expect(translation).toEqual({ ...PART, text: GERMAN, fault: null });
  expect(prompt).toContain('The text is Markdown');
  expect(prompt).toMatch(/\n\nTake \*\*5 mg\*\*/);
  expect((await translate(GERMAN)).prompt).not.toContain('Markdown');
});

it.each([
  ['a footnote’s mark', GERMAN.replace('[^1] :cite', ' :cite')],
  ['a reference', GERMAN.replace(':cite[a1]', '(1)')],
  ['a picture', GERMAN.replace('/storage/a.webp?v=1', '/storage/b.webp')],
  ['the lines of a figure', GERMAN.replaceAll(/^:::.*$/gm, 'x')],
])('a translation that has lost %s is not used', async (_, response) => {
  expect((await translate(response, 'markdown')).translation).toMatchObject({
    text: null,
    fault: 'unusable',
  });
});

it('a translation whose numbers contradict the text is not used, in whichever language the text is', async () => {
  const tenfold = GERMAN.replace('5 mg', '50 mg');
  const blocked = (await translate(tenfold, 'markdown')).translation;
  expect(blocked).toMatchObject({ text: null, fault: 'numbers' });
  expect(describeFaults([blocked as MissingPart], { m: await loadMessages('en'), language: 'en' })).toBe(
    'The numbers of the German translation did not say the same: “5 mg” here, “50 mg” there.',
  );
  const decimals = 'Se administran 1,5 mg cada 8 horas.';
  const right = 'Es werden alle 8 Stunden 1,5 mg gegeben.';
  expect((await translate(right, 'plain', decimals)).translation).toMatchObject({ text: right });
  const wrong = right.replace('1,5', '15');
  expect((await translate(wrong, 'plain', decimals)).translation).toMatchObject({ fault: 'numbers' });
});
