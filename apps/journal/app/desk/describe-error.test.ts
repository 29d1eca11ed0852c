import { FabricaError } from '@fabrica/client';
import { expect, test } from 'vitest';
import { EXCHANGE_FAULTS } from '../../project/exchange-faults.ts';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import { loadDeskMessages } from './load-desk-messages.ts';
import { describeDeskError, describeUnsaved } from './use-desk.ts';

const refused = (details: object[]) =>
  new FabricaError('VALIDATION_FAILED', 'In English.', { status: 400, details });

test.each(LANGUAGE_CODES)(
  'the desk says in %s what the server did not accept, by the field’s name',
  async (language) => {
    const messages = await loadDeskMessages(language);
    const error = refused([
      { field: 'byline.0.name', message: 'must' },
      { field: 'cover.alt.de', message: 'must' },
    ]);
    const { byline, alt } = messages.fields;
    for (const words of [
      describeDeskError(error, messages),
      describeUnsaved({ name: 'refused', reason: 'invalid', error }, messages),
    ]) {
      expect(words).toContain(`${byline}, ${alt}`);
      expect(words).not.toContain('English');
    }
    const tooLong = refused([
      { field: 'title', message: 'must', kind: 'too-long' },
      { field: 'document.content', message: 'must', kind: 'too-long' },
    ]);
    const { title, content } = messages.fields;
    expect(describeDeskError(tooLong, messages)).toBe(
      messages.saving.refused.tooLong(`${title}, ${content}`),
    );
    const tooComplex = refused([{ field: 'document.content', message: 'is', kind: 'too-complex' }]);
    expect(describeDeskError(tooComplex, messages)).toBe(messages.saving.refused.tooComplex(content));
    const missing = refused([{ field: 'title', message: 'is required', kind: 'missing' }]);
    expect(describeDeskError(missing, messages)).toBe(messages.editor.missingFields);
    const taken = refused([{ field: 'slugs.de', message: 'belongs', kind: 'taken' }]);
    expect(describeDeskError(taken, messages)).toBe(messages.saving.refused.addressTaken);
  },
);

test.each(LANGUAGE_CODES)('the desk says in %s why a file of another tool is not read', async (language) => {
  const messages = await loadDeskMessages(language);
  const descriptions = EXCHANGE_FAULTS.map((fault) => {
    const details = { fault, number: 4_711 };
    const error = new FabricaError('VALIDATION_FAILED', 'In English.', { status: 400, details });
    return describeDeskError(error, messages);
  });
  expect(new Set(descriptions).size).toBe(EXCHANGE_FAULTS.length);
  expect(descriptions.join()).not.toContain('English');
  expect(descriptions.filter((text) => text.includes('4711'))).toHaveLength(4);
});
