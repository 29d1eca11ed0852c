import { type FormEvent, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { CodeField } from '../../sign-in/forms/code-field.tsx';
import { parseCode } from '../../sign-in/forms/form-fields.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError, type Task, useFocusInvalidField } from '../task/use-task.ts';

export interface VerificationCodeProps {
  task: Task<'code'>;
  onVerify(code: string): void;
}

/** Shows a form for the code of the mail. */
export function VerificationCode({ task, onVerify }: VerificationCodeProps) {
  const { m } = useLanguage();
  const texts = m.account.email;
  const [typed, setTyped] = useState('');
  const form = useFocusInvalidField(task.result);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = parseCode(typed);
    if (code) onVerify(code);
    else task.fail({ field: 'code', text: ({ authMail }) => authMail.code.missing });
  };

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit}
      className="grid w-full justify-items-start gap-4"
    >
      <div className="w-full max-w-80">
        <CodeField
          error={fieldError(task, 'code', m)}
          value={typed}
          readOnly={task.busy}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button type="submit" busy={task.busy}>
        {task.busy ? texts.verifying : texts.verify}
      </Button>
    </form>
  );
}
