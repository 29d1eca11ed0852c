import { useLanguage } from '../../language/language-provider.tsx';
import { CodeField } from '../../sign-in/forms/code-field.tsx';
import { Button } from '../../ui/button.tsx';
import type { AccountForm } from '../use-account-form.ts';

/** Shows a form for the code of the mail. */
export function VerificationCode({ form: { Form, props, isBusy, errorOf } }: { form: AccountForm }) {
  const texts = useLanguage().m.account.email;
  return (
    <Form {...props} className="grid w-full justify-items-start gap-4">
      <input type="hidden" name="intent" value="verify" />
      <div className="w-full max-w-80">
        <CodeField error={errorOf('code')} readOnly={isBusy} />
      </div>
      <Button type="submit" busy={isBusy}>
        {isBusy ? texts.verifying : texts.verify}
      </Button>
    </Form>
  );
}
