import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import { loadMessages } from './load-messages.ts';

/** Returns each text with its path, parameters filled in. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value('1', '2', '3'))]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => flatten(inner, `${path}.${key}`));
}

it.each(LANGUAGE_CODES)('none of the messages in %s is blank', async (language) => {
  const texts = flatten(await loadMessages(language));
  expect(texts.filter(([, text]) => !text.trim())).toEqual([]);
});

it('the English notices are word for word those of the product document', async () => {
  const { contact, layout } = await loadMessages('en');
  expect([contact.sending, contact.sent, contact.sentDescription, contact.failed]).toEqual([
    'Sending...',
    'Message sent successfully!',
    'We will get back to you soon.',
    'Failed to send message. Please try again.',
  ]);
  expect([layout.gallery, layout.about, layout.contact, layout.signIn, layout.signOut]).toEqual([
    'Gallery',
    'About Me',
    'Contact',
    'Admin Sign In',
    'Sign Out',
  ]);
});
