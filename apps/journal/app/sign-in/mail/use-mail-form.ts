import { type FormEvent, useRef, useState } from 'react';
import { BEGINNING, FAULT_PLACES, type Faults, type MailFormState } from './mail-form-state.ts';

export interface MailForm {
  state: MailFormState;
  /** The intent of the form that is under way. */
  busy: string | undefined;
  submit(event: FormEvent<HTMLFormElement>): Promise<void>;
  /** Back to the address, which is kept. */
  changeAddress(): void;
}

/**
 * Takes a form's steps in the browser, where the session belongs. `initial` is what the server made of a form that was
 * sent without a script; `act` never rejects.
 */
export function useMailForm(
  initial: MailFormState | undefined,
  act: (fields: FormData) => Promise<MailFormState>,
): MailForm {
  const [state, setState] = useState(initial ?? BEGINNING);
  const [busy, setBusy] = useState<string>();
  const acting = useRef(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (acting.current) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    acting.current = true;
    setBusy(String(fields.get('intent')));
    try {
      const next = await act(fields);
      setState(next);
      focusFirst(form, next.faults);
    } finally {
      acting.current = false;
      setBusy(undefined);
    }
  };

  return { state, busy, submit, changeAddress: () => setState({ ...BEGINNING, email: state.email }) };
}

function focusFirst(form: HTMLFormElement, faults: Faults): void {
  const name = FAULT_PLACES.find((place) => faults[place]);
  const field = name && form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
