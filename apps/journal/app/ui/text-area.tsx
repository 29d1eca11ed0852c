import type { ComponentProps } from 'react';
import { CONTROL_CLASS, Field, type FieldProps } from './field.tsx';
import { useTypedText } from './text-limit.tsx';

/** Takes several lines of text. */
export function TextArea({
  label,
  error,
  hint,
  limit,
  id,
  className = '',
  ref,
  ...rest
}: FieldProps & Omit<ComponentProps<'textarea'>, 'onInput' | 'maxLength'>) {
  const { text, control, onInput } = useTypedText(ref, rest.value, rest.defaultValue);
  return (
    <Field label={label} error={error} hint={hint} limit={limit} text={text} id={id}>
      {(ids) => (
        <textarea
          {...rest}
          {...ids}
          ref={control}
          onInput={onInput}
          className={`${CONTROL_CLASS} leading-relaxed ${className}`}
        />
      )}
    </Field>
  );
}
