import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';

/** Sends a mail with a link to choose a new password, for an owner who has none or forgot it. */
export function ForgottenPassword() {
  const { m } = useLanguage();
  const texts = m.account.password;
  const { unsent } = m.authMail;
  const sendsMail = useSendsMail();
  const { Form, props, result, isBusy } = useAccountForm();
  return (
    <Form {...props} className="grid justify-items-start gap-3">
      <input type="hidden" name="intent" value="reset-password" />
      <p className="leading-relaxed text-pretty text-muted">{sendsMail ? texts.none : unsent.password}</p>
      <Button type="submit" variant="outline" busy={isBusy}>
        {isBusy ? texts.sendingReset : sendsMail ? texts.sendReset : unsent.link}
      </Button>
      <FormMessage result={result} />
    </Form>
  );
}
