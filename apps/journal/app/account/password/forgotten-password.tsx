import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskOutcome } from '../task/task-outcome.tsx';
import { useTask } from '../task/use-task.ts';

/** For an account that never had a password, or whose password is forgotten: a mail lets one choose a new one. */
export function ForgottenPassword({ email }: { email: string }) {
  const { m } = useLanguage();
  const texts = m.account.password;
  const { auth } = useClient();
  const task = useTask();
  const send = () =>
    void task.run(async () => {
      await auth.sendPasswordReset(email, { returnTo: '/account' });
      return texts.resetSent(email);
    });
  return (
    <div className="grid justify-items-start gap-3">
      <p className="leading-relaxed text-pretty text-muted">{texts.none}</p>
      <Button variant="outline" busy={task.busy} onClick={send}>
        {task.busy ? texts.sendingReset : texts.sendReset}
      </Button>
      <TaskOutcome outcome={task.outcome} />
    </div>
  );
}
