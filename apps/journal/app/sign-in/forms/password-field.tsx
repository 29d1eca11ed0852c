import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS, Field, type FieldProps } from '../../ui/field.tsx';

/** Takes a password, with a button that makes it readable. */
export function PasswordField({ label, error, hint, id, ...rest }: FieldProps & ComponentProps<'input'>) {
  const { m } = useLanguage();
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} error={error} hint={hint} id={id}>
      {(ids) => (
        <div className="relative">
          <input
            {...rest}
            {...ids}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={`${CONTROL_CLASS} min-h-11 pr-12`}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label={m.signIn.showPassword}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center text-muted hover:text-accent unscripted:hidden"
          >
            <Icon aria-hidden="true" className="size-[1.125rem]" />
          </button>
        </div>
      )}
    </Field>
  );
}
