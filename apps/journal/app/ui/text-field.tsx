import type { ComponentProps } from 'react';
import { CONTROL_CLASS, Field, type FieldProps } from './field.tsx';

/** Takes one line of text. */
export function TextField({
  label,
  error,
  hint,
  id,
  className = '',
  ...rest
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} error={error} hint={hint} id={id}>
      {(ids) => <input {...rest} {...ids} className={`${CONTROL_CLASS} min-h-11 ${className}`} />}
    </Field>
  );
}
