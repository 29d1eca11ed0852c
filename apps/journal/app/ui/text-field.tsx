import type { ComponentProps } from 'react';
import { CONTROL_CLASS, Field, type FieldProps } from './field.tsx';
import { useTypedText } from './text-limit.tsx';

/** Takes one line of text. */
export function TextField({
  label,
  error,
  hint,
  limit,
  id,
  className = '',
  ref,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'onInput' | 'maxLength'>) {
  const { text, control, onInput } = useTypedText(ref, rest.value, rest.defaultValue);
  return (
    <Field label={label} error={error} hint={hint} limit={limit} text={text} id={id}>
      {(ids) => (
        <input
          {...rest}
          {...ids}
          ref={control}
          onInput={onInput}
          className={`${CONTROL_CLASS} min-h-11 ${className}`}
        />
      )}
    </Field>
  );
}
