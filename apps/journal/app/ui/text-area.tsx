import type { ComponentProps } from 'react';
import { CONTROL_CLASS, Field, type FieldProps } from './field.tsx';

/** Takes several lines of text. */
export function TextArea({
  label,
  error,
  hint,
  id,
  className = '',
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} error={error} hint={hint} id={id}>
      {(ids) => <textarea {...rest} {...ids} className={`${CONTROL_CLASS} leading-relaxed ${className}`} />}
    </Field>
  );
}
