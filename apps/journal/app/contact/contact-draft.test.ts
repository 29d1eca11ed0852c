import { describe, expect, it } from 'vitest';
import { contact } from '../../messages/en/contact.ts';
import { parseDraft, validateDraft } from './contact-draft.ts';

const draft = { name: 'Ada', email: 'ada@example.org', message: 'Hello' };

describe('a message to the journal', () => {
  it('needs a name, an address and words', () => {
    expect(validateDraft({ name: '', email: '', message: '' }, contact)).toEqual({
      name: contact.nameRequired,
      email: contact.emailRequired,
      message: contact.messageRequired,
    });
  });

  it('may be sent when all three are there', () => {
    expect(validateDraft(draft, contact)).toEqual({});
  });

  it.each([
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'a da@example.org',
    'ada@example..org',
    'ada@b@c.de',
  ])('cannot be answered at %s', (email) => {
    expect(validateDraft({ ...draft, email }, contact)).toEqual({ email: contact.emailInvalid });
  });

  it('is not made of white space', () => {
    const form = new FormData();
    form.set('name', '  ');
    form.set('email', ' ada@example.org ');
    form.set('message', '\n');
    expect(parseDraft(form)).toEqual({ name: '', email: 'ada@example.org', message: '' });
  });
});
