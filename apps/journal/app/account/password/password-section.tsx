import type { User } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import { PasswordField } from '../../sign-in/forms/password-field.tsx';
import { Button } from '../../ui/button.tsx';
import { AccountSection } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import { ForgottenPassword } from './forgotten-password.tsx';

interface PasswordSectionProps {
  user: User;
  /** Whether the account is known to have none. */
  lacksPassword: boolean;
  onChanged(): void;
}

/** Lets the owner change the password, which signs out other devices, or choose the first one. */
export function PasswordSection({ lacksPassword, ...form }: PasswordSectionProps) {
  const texts = useLanguage().m.account.password;
  return (
    <AccountSection id="password" title={texts.title} lead={texts.lead}>
      {!lacksPassword && <ChangePassword {...form} />}
      <ForgottenPassword />
    </AccountSection>
  );
}

function ChangePassword({ user, onChanged }: Omit<PasswordSectionProps, 'lacksPassword'>) {
  const texts = useLanguage().m.account.password;
  const { Form, props, result, isBusy, errorOf } = useAccountForm(({ error }, form) => {
    if (error) return;
    form?.reset();
    onChanged();
  });
  return (
    <Form {...props} className="grid gap-5">
      <input type="hidden" name="intent" value="password" />
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label={texts.old}
        error={errorOf('oldPassword')}
        name="oldPassword"
        autoComplete="current-password"
        required
        readOnly={isBusy}
      />
      <PasswordField
        label={texts.new}
        hint={texts.rules}
        error={errorOf('newPassword')}
        name="newPassword"
        autoComplete="new-password"
        required
        readOnly={isBusy}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button type="submit" busy={isBusy}>
          {isBusy ? texts.changing : texts.change}
        </Button>
        <FormMessage result={result} />
      </div>
    </Form>
  );
}
