import { describe, expect, it } from 'vitest';
import { contact } from '../../messages/en/contact.ts';
import { layout } from '../../messages/en/layout.ts';
import { parseDraft, validateDraft } from './contact-draft.ts';

const limitWords = { language: 'en', ...layout.limit };
const draft = { name: 'Ada', email: 'ada@example.org', message: 'Hello' };

describe('validateDraft', () => {
  it('a contact message needs a name, an e-mail address and a text', () => {
    expect(validateDraft({ name: '', email: '', message: '' }, contact, limitWords)).toEqual({
      name: contact.nameRequired,
      email: contact.emailRequired,
      message: contact.messageRequired,
    });
  });

  it('a contact message with all three fields is valid', () => {
    expect(validateDraft(draft, contact, limitWords)).toEqual({});
  });

  it('a contact message that is too long is refused with the number of characters, and emoji count once', () => {
    const message = `${'🫀'.repeat(10_000)}  `;
    expect(validateDraft({ ...draft, message }, contact, limitWords)).toEqual({});
    expect(validateDraft({ ...draft, message: `xx${message}` }, contact, limitWords)).toEqual({
      message: '2 characters too many: please shorten this to 10,000.',
    });
  });

  it.each([
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'a da@example.org',
    'ada@example..org',
    'ada@b@c.de',
  ])('a contact message with the e-mail address %s is invalid', (email) => {
    expect(validateDraft({ ...draft, email }, contact, limitWords)).toEqual({ email: contact.emailInvalid });
  });

  it('the fields of a contact message are trimmed', () => {
    const form = new FormData();
    form.set('name', '  ');
    form.set('email', ' ada@example.org ');
    form.set('message', '\n');
    expect(parseDraft(form)).toEqual({ name: '', email: 'ada@example.org', message: '' });
  });
});
