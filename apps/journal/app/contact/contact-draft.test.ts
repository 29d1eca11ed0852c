import { describe, expect, it } from 'vitest';
import { parseDraft, validateDraft } from './contact-draft.ts';

const draft = { name: 'Ada', email: 'ada@example.org', message: 'Hello' };

describe('validateDraft', () => {
  it('a contact message needs a name, an e-mail address and a text', () => {
    expect(validateDraft({ name: '', email: '', message: '' })).toEqual({
      name: 'nameRequired',
      email: 'emailRequired',
      message: 'messageRequired',
    });
  });

  it('a contact message with all three fields is valid', () => {
    expect(validateDraft(draft)).toEqual({});
  });

  it('a contact message that is too long is refused, and emoji count once', () => {
    const message = `${'🫀'.repeat(10_000)}  `;
    expect(validateDraft({ ...draft, message })).toEqual({});
    expect(validateDraft({ ...draft, message: `x${message}` })).toEqual({ message: 'tooLong' });
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
    expect(validateDraft({ ...draft, email })).toEqual({ email: 'emailInvalid' });
  });

  it('the fields of a contact message are trimmed', () => {
    const form = new FormData();
    form.set('name', '  ');
    form.set('email', ' ada@example.org ');
    form.set('message', '\n');
    expect(parseDraft(form)).toEqual({ name: '', email: 'ada@example.org', message: '' });
  });
});
