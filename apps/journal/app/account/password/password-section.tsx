import { AuthError } from '@fabrica/client';
import type { User } from '@fabrica/contract';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { hasPasswordLength } from '../../sign-in/forms/form-fields.ts';
import { PasswordField } from '../../sign-in/forms/password-field.tsx';
import { Button } from '../../ui/button.tsx';
import { AccountSection } from '../account-section.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { fieldError, type TaskFailure, useFocusInvalidField, useTask } from '../task/use-task.ts';
import { ForgottenPassword } from './forgotten-password.tsx';

type PasswordName = 'oldPassword' | 'newPassword';

export interface PasswordSectionProps {
  user: User;
  onChanged(): void;
}

/** Lets the owner change the password, which signs out other devices. */
export function PasswordSection({ user, onChanged }: PasswordSectionProps) {
  const { m } = useLanguage();
  const texts = m.account.password;
  const { change, task, old, next } = usePasswordChange(onChanged);
  const form = useFocusInvalidField(task.result);
  return (
    <AccountSection id="password" title={texts.title} lead={texts.lead}>
      <form ref={form} method="post" noValidate onSubmit={change} className="grid gap-5">
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label={texts.old}
          error={fieldError(task, 'oldPassword', m)}
          name="oldPassword"
          autoComplete="current-password"
          required
          readOnly={task.busy}
          {...old}
        />
        <PasswordField
          label={texts.new}
          hint={texts.rules}
          error={fieldError(task, 'newPassword', m)}
          name="newPassword"
          autoComplete="new-password"
          required
          readOnly={task.busy}
          {...next}
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button type="submit" busy={task.busy}>
            {task.busy ? texts.changing : texts.change}
          </Button>
          <TaskMessage result={task.result} />
        </div>
      </form>
      <ForgottenPassword email={user.email} />
    </AccountSection>
  );
}

function usePasswordChange(onChanged: () => void) {
  const { auth } = useClient();
  const [passwords, setPasswords] = useState({ oldPassword: '', newPassword: '' });
  const task = useTask<PasswordName>((error) => {
    if (!(error instanceof AuthError)) return undefined;
    if (error.code === 'INVALID_CREDENTIALS')
      return { field: 'oldPassword', text: ({ account }) => account.password.oldWrong };
    if (error.code === 'WEAK_PASSWORD')
      return { field: 'newPassword', text: ({ signIn }) => signIn.errors.WEAK_PASSWORD };
    return undefined;
  });
  const check = (): TaskFailure<PasswordName> | undefined => {
    const { oldPassword, newPassword } = passwords;
    if (!oldPassword) return { field: 'oldPassword', text: ({ signIn }) => signIn.passwordMissing };
    if (!newPassword) return { field: 'newPassword', text: ({ account }) => account.password.newMissing };
    if (hasPasswordLength(newPassword)) return undefined;
    return { field: 'newPassword', text: ({ signIn }) => signIn.errors.WEAK_PASSWORD };
  };

  const change = (event: FormEvent) => {
    event.preventDefault();
    const failure = check();
    if (failure) return task.fail(failure);
    void task.run(async () => {
      await auth.changePassword(passwords.oldPassword, passwords.newPassword);
      setPasswords({ oldPassword: '', newPassword: '' });
      onChanged();
      return ({ account }) => account.password.changed;
    });
  };
  const bind = (name: PasswordName) => ({
    value: passwords[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setPasswords((typed) => ({ ...typed, [name]: target.value })),
  });
  return { change, task, old: bind('oldPassword'), next: bind('newPassword') };
}
