import { type FormEvent, useState } from 'react';
import { focusFirstError } from '../forms/form-errors.ts';
import { useOneAtATime } from '../forms/use-one-at-a-time.ts';
import { INITIAL_STATE, type MailFormState, submitLink } from './mail-form-state.ts';

export interface MailForm {
  state: MailFormState;
  /** The intent of the form that is being submitted. */
  busy: string | undefined;
  submit(event: FormEvent<HTMLFormElement>): void;
  /** Goes back to the first step; the email stays in its field. */
  changeEmail(): void;
}

/**
 * Takes the steps of a form in the browser, where the session belongs. `initial` is the state that the server returned
 * for a form that was sent without JavaScript; `takeStep` never rejects.
 */
export function useMailForm(
  initial: MailFormState | undefined,
  takeStep: (fields: FormData) => Promise<MailFormState>,
): MailForm {
  const [state, setState] = useState(initial ?? INITIAL_STATE);
  const { busy, run } = useOneAtATime<string>();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    void run(String(fields.get('intent')), async () => {
      const next = await takeStep(fields);
      setState(next);
      focusFirstError(form, next.errors);
    });
  };

  return { state, busy, submit, changeEmail: () => setState({ ...INITIAL_STATE, email: state.email }) };
}

/** Submits the token of a mail's link, and removes it from the URL and the history once it is used up. */
export function useLinkForm(
  initial: MailFormState | undefined,
  submit: (password: string, fields: FormData) => Promise<unknown>,
): MailForm {
  return useMailForm(initial, async (fields) => {
    const next = await submitLink(fields, submit);
    if (next.step === 'done') removeTokenFromUrl();
    return next;
  });
}

function removeTokenFromUrl(): void {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  query.delete('token');
  window.history.replaceState(window.history.state, '', query.size > 0 ? `${pathname}?${query}` : pathname);
}
