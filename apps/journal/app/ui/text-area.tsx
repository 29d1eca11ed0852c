import type { ComponentProps } from 'react';
import { CONTROL_CLASS, Field, type FieldProps } from './field.tsx';
import { useTypedText } from './text-limit.tsx';

export type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'onInput' | 'maxLength'>;

/** Takes several lines of text. */
export function TextArea({ label, error, hint, limit, id, className = '', ref, ...rest }: TextAreaProps) {
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
