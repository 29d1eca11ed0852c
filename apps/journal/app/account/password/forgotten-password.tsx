import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { useTask } from '../task/use-task.ts';

/** Sends a mail with a link to choose a new password, for an owner who has none or forgot it. */
export function ForgottenPassword({ email }: { email: string }) {
  const { m } = useLanguage();
  const texts = m.account.password;
  const { auth } = useClient();
  const task = useTask();
  const sendsMail = useSendsMail();
  const send = () =>
    void task.run(async () => {
      await auth.sendPasswordReset(email, { returnTo: '/account' });
      return ({ account, authMail }) =>
        sendsMail ? account.password.resetSent(email) : authMail.unsent.byLink;
    });
  return (
    <div className="grid justify-items-start gap-3">
      <p className="leading-relaxed text-pretty text-muted">
        {sendsMail ? texts.none : m.authMail.unsent.lead}
      </p>
      <Button variant="outline" busy={task.busy} onClick={send}>
        {task.busy ? texts.sendingReset : texts.sendReset}
      </Button>
      <TaskMessage result={task.result} />
    </div>
  );
}
