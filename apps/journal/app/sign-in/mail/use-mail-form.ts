import { type ActionForm, useActionForm } from '../../ui/use-action-form.ts';
import { focusFirstError } from '../forms/form-errors.ts';
import { INITIAL_STATE, type MailFormState } from './mail-form-state.ts';

export interface MailForm extends Omit<ActionForm<MailFormState>, 'result'> {
  state: MailFormState;
  /** Goes back to the first step; the email stays in its field. */
  changeEmail(): void;
}

/** Takes the steps of a form with a mail. A mail's token leaves the URL and the history once it is used up. */
export function useMailForm(sent: MailFormState | undefined): MailForm {
  const { result, ...form } = useActionForm<MailFormState>(sent, ({ step, errors }, element) => {
    if (step === 'done') removeTokenFromUrl();
    if (element) focusFirstError(element, errors);
  });
  const state = result ?? INITIAL_STATE;
  return { ...form, state, changeEmail: () => form.show({ ...INITIAL_STATE, email: state.email }) };
}

function removeTokenFromUrl(): void {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  query.delete('token');
  window.history.replaceState(window.history.state, '', query.size > 0 ? `${pathname}?${query}` : pathname);
}
