import { type FormEvent, useState } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notify.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CONTACT_LIMITS, type ContactErrors, parseDraft, validateDraft } from './contact-draft.ts';

/** Milliseconds that sending takes. Nothing is sent over the network (docs/spec/product.md section 2). */
const SENDING_MS = 1_500;

/** The fields in the order of the page. */
const FIELDS = ['name', 'email', 'message'] as const;

export function ContactForm() {
  const { m } = useLanguage();
  const [errors, setErrors] = useState<ContactErrors>({});
  const [sending, setSending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const form = event.currentTarget;
    const invalid = validateDraft(parseDraft(new FormData(form)));
    setErrors(invalid);
    const firstInvalid = FIELDS.find((name) => invalid[name]);
    if (firstInvalid) {
      form.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus();
      return;
    }
    setSending(true);
    try {
      await new Promise((resolve) => setTimeout(resolve, SENDING_MS));
      form.reset();
      notify({ title: m.contact.sent, description: m.contact.sentDescription, tone: 'success' });
    } catch {
      notify({ title: m.contact.failed, tone: 'destructive' });
    } finally {
      setSending(false);
    }
  };

  const errorOf = (name: keyof ContactErrors) => {
    const error = errors[name];
    return error && error !== 'tooLong' ? m.contact[error] : undefined;
  };
  /** Removes the error of a field when it changes. */
  const clearError = (name: keyof ContactErrors) => () => setErrors(({ [name]: _, ...others }) => others);

  return (
    <form method="post" noValidate onSubmit={submit} className="grid max-w-xl gap-6">
      <TextField
        name="name"
        label={m.contact.name}
        error={errorOf('name')}
        autoComplete="name"
        limit={CONTACT_LIMITS.name}
        required
        onChange={clearError('name')}
      />
      <TextField
        name="email"
        type="email"
        label={m.contact.email}
        error={errorOf('email')}
        autoComplete="email"
        limit={CONTACT_LIMITS.email}
        required
        onChange={clearError('email')}
      />
      <TextArea
        name="message"
        label={m.contact.message}
        error={errorOf('message')}
        rows={6}
        limit={CONTACT_LIMITS.message}
        required
        onChange={clearError('message')}
      />
      <Button type="submit" size="large" busy={sending} className="justify-self-start unscripted:hidden">
        {sending ? m.contact.sending : m.contact.send}
      </Button>
      <noscript>
        <p className="text-muted">{m.contact.needsScript}</p>
      </noscript>
    </form>
  );
}
