import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../../project/languages.ts';
import { loadMessages } from '../../language/load-messages.ts';
import { describeTrust } from './describe-trust.ts';

const machine = {
  by: 'machine',
  checked: false,
  reviewedBy: null,
  reviewedAt: null,
  isStale: false,
} as const;
const reviewed = { reviewedBy: 'Dr Ada', reviewedAt: Date.UTC(2026, 2, 3) };
const m = await loadMessages('en');
const say = (changes: object) => describeTrust({ ...machine, ...changes }, m, 'en').join(' ');

it('readers are told who translated a text and whether anybody reviewed it', () => {
  expect(say({})).toBe('Translated by machine, not reviewed.');
  expect(say({ checked: true })).toBe('Translated by machine, not reviewed. Checked for numbers.');
  expect(say(reviewed)).toBe('Translated by machine. Reviewed by Dr Ada on March 3, 2026.');
  expect(say({ ...reviewed, reviewedBy: null })).toBe('Translated by machine. Reviewed on March 3, 2026.');
  expect(say({ by: 'person', isStale: true })).toBe(
    'Translated by people, not reviewed. The original has changed since.',
  );
});

it.each(LANGUAGE_CODES)('each state is said in another sentence in %s', async (language) => {
  const words = await loadMessages(language);
  const states = (['machine', 'mixed', 'person'] as const).flatMap((by) =>
    [{}, reviewed].map((review) => describeTrust({ ...machine, ...review, by }, words, language).join(' ')),
  );
  expect(new Set(states).size).toBe(6);
});
