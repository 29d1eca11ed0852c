import { CODE_MINUTES } from '@fabrica/contract';
import type { ComponentProps } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { TextField } from '../../ui/text-field.tsx';

/**
 * Takes the digits of a mail, which phones offer from the message. It sets no maximum length, so that `123 456` can
 * be pasted.
 */
export function CodeField({ error, ...rest }: { error?: string | undefined } & ComponentProps<'input'>) {
  const { m } = useLanguage();
  return (
    <TextField
      {...rest}
      label={m.authMail.code.label}
      hint={m.authMail.code.hint(CODE_MINUTES)}
      error={error}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCorrect="off"
      spellCheck={false}
      required
      className="font-medium tracking-[0.25em] tabular-nums"
    />
  );
}
