import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { noticeText } from '../language/notice-text.tsx';
import { Button } from '../ui/button.tsx';
import { createTabDraft } from '../ui/tab-draft.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { notify } from '../ui/toasts.tsx';
import { useActionForm } from '../ui/use-action-form.ts';
import { CONTACT_LIMITS, type ContactDraft, type ContactErrors, TRAP_FIELD } from './contact-draft.ts';

/** The fields in the order of the page. */
const FIELDS = ['name', 'email', 'message'] as const;

type ContactOutcome = 'sent' | 'limited' | 'failed';

export interface ContactResult {
  /** What was typed, unless it was sent. */
  draft: ContactDraft | null;
  errors: ContactErrors;
  outcome: ContactOutcome | null;
}

interface ContactFormProps {
  /** Tells how the form ended that was sent without JavaScript. */
  sent: ContactResult | undefined;
}

export function ContactForm({ sent }: ContactFormProps) {
  const { m } = useLanguage();
  const [errors, setErrors] = useState<ContactErrors>(sent?.errors ?? {});
  const form = useRef<HTMLFormElement>(null);
  useDraft(form);
  const { Form, props, busy } = useActionForm<ContactResult>(sent, ({ errors: invalid, outcome }) => {
    setErrors(invalid);
    const firstInvalid = FIELDS.find((name) => invalid[name]);
    form.current?.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus();
    if (!outcome) return;
    if (outcome === 'sent') form.current?.reset();
    notify({
      title: noticeText(({ m }) => describe(outcome, m.contact).title),
      description: noticeText(({ m }) => describe(outcome, m.contact).description),
      tone: outcome === 'sent' ? 'success' : 'error',
    });
  });

  const errorOf = (name: keyof ContactErrors) => {
    const error = errors[name];
    return error && error !== 'tooLong' ? m.contact[error] : undefined;
  };
  /** Removes the error of a field when it changes. */
  const clearError = (name: keyof ContactErrors) => () => setErrors(({ [name]: _, ...others }) => others);

  return (
    <Form ref={form} {...props} className="grid max-w-xl gap-6">
      {sent?.outcome && <Outcome outcome={sent.outcome} />}
      <TextField
        name="name"
        label={m.contact.name}
        error={errorOf('name')}
        autoComplete="name"
        limit={CONTACT_LIMITS.name}
        defaultValue={sent?.draft?.name}
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
        defaultValue={sent?.draft?.email}
        required
        onChange={clearError('email')}
      />
      <TextArea
        name="message"
        label={m.contact.message}
        error={errorOf('message')}
        rows={6}
        limit={CONTACT_LIMITS.message}
        defaultValue={sent?.draft?.message}
        required
        onChange={clearError('message')}
      />
      <div hidden>
        <input name={TRAP_FIELD} tabIndex={-1} autoComplete="off" aria-hidden="true" />
      </div>
      <Button type="submit" size="large" busy={busy !== undefined} className="justify-self-start">
        {busy ? m.contact.sending : m.contact.send}
      </Button>
    </Form>
  );
}

const draft = createTabDraft('contact');

/** Keeps what is typed for this tab until it is sent, so that a reload loses nothing. */
function useDraft(ref: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const form = ref.current;
    if (!form) return;
    const kept = new URLSearchParams(draft.read());
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      const text = kept.get(field.name);
      if (field.value || !text) continue;
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const keep = () => draft.write(new URLSearchParams(parseFields(form)).toString());
    const forget = () => draft.write('');
    form.addEventListener('input', keep);
    form.addEventListener('reset', forget);
    return () => {
      form.removeEventListener('input', keep);
      form.removeEventListener('reset', forget);
    };
  }, [ref]);
}

function parseFields(form: HTMLFormElement): [string, string][] {
  const data = new FormData(form);
  return FIELDS.map((name) => [name, String(data.get(name) ?? '')]);
}

/** Tells without JavaScript how the form ended. */
function Outcome({ outcome }: { outcome: ContactOutcome }) {
  const { m } = useLanguage();
  const { title, description } = describe(outcome, m.contact);
  return (
    <p role={outcome === 'sent' ? 'status' : 'alert'} className="border border-hairline bg-raised p-5">
      <strong className="font-medium">{title}</strong> {description}
    </p>
  );
}

function describe(outcome: ContactOutcome, m: ReturnType<typeof useLanguage>['m']['contact']) {
  if (outcome === 'sent') return { title: m.sent, description: m.sentDescription };
  return outcome === 'limited' ? { title: m.failed, description: m.tooMany } : { title: m.failed };
}
