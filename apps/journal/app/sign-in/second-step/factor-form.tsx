import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ActionForm } from '../../ui/use-action-form.ts';
import type { StepState } from './step-state.ts';

export type StepForm = ActionForm<StepState>;

interface FactorFormProps {
  intent: 'code' | 'app';
  label: string;
  hint?: string | undefined;
  error: string | undefined;
  busy: boolean;
  /** The label of the button. */
  submit: string;
  form: StepForm;
  autoFocus?: boolean;
  /** Hidden fields. */
  children?: ReactNode;
}

/** Takes a code. After an error the field has the focus again. */
export function FactorForm({
  intent,
  label,
  hint,
  error,
  busy,
  submit,
  form: { Form, props },
  autoFocus = false,
  children,
}: FactorFormProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) field.current?.focus();
  }, [error]);
  return (
    <Form {...props} className="grid gap-5">
      <input type="hidden" name="intent" value={intent} />
      {children}
      <TextField
        ref={field}
        label={label}
        hint={hint}
        error={error}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        inputMode={intent === 'app' ? 'numeric' : 'text'}
        required
        autoFocus={autoFocus}
        className="font-medium tracking-[0.15em] tabular-nums"
      />
      <Button type="submit" size="large" busy={busy} className="w-full">
        {submit}
      </Button>
    </Form>
  );
}
