import { FabricaError } from '@fabrica/client';
import { expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../language/languages.ts';
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
    const taken = refused([{ field: 'slugs.de', message: 'belongs', fault: 'taken' }]);
    expect(describeDeskError(taken, messages)).toBe(messages.saving.refused.addressTaken);
  },
);
