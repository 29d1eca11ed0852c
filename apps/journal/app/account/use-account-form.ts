import { use } from 'react';
import { SessionEndContext } from '../client/use-page-owner.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { type ActionForm, useActionForm } from '../ui/use-action-form.ts';
import type { AccountResult } from './account-action.ts';

export interface AccountForm extends ActionForm<AccountResult> {
  isBusy: boolean;
  /** Returns the error of a field, if it has one. */
  errorOf(field: string): string | undefined;
}

/** Sends the forms of a section to the action of the account page. The field that an error belongs to receives the focus. */
export function useAccountForm(
  onResult: (result: AccountResult, form: HTMLFormElement | null) => void = () => {},
): AccountForm {
  const { m } = useLanguage();
  const onSessionEnd = use(SessionEndContext);
  const sent = useActionForm<AccountResult>(undefined, (result, form) => {
    if (result.hasEnded) onSessionEnd();
    const field = result.field && form?.elements.namedItem(result.field);
    if (field instanceof HTMLElement) field.focus();
    onResult(result, form);
  });
  const isBusy = sent.busy !== undefined;
  const result = isBusy ? undefined : sent.result;
  return {
    ...sent,
    isBusy,
    result,
    errorOf: (field) => (result?.field === field ? result.error?.(m, true) : undefined),
  };
}
