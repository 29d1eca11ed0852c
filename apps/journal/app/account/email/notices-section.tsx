import type { User } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import { AccountSection } from '../account-section.tsx';
import { LoadState } from '../load-state.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { useTask } from '../task/use-task.ts';
import { useNotices } from './use-notices.ts';

/** Which mails about what others do the owner wants. */
export function NoticesSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.notices;
  const { status, newComments, load, change } = useNotices();
  const task = useTask();
  const choose = (on: boolean) =>
    void task.run(async () => {
      await change(on);
      return on ? texts.on : texts.off;
    });

  return (
    <AccountSection id="notices" title={texts.title} lead={texts.lead}>
      <LoadState
        status={status}
        loading={texts.loading}
        failed={texts.loadFailed}
        className="h-12"
        onTryAgain={load}
      />
      {status === 'ready' && (
        <label className="flex min-h-11 cursor-pointer items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0 accent-accent"
            checked={newComments}
            aria-describedby="notices-hint"
            onChange={(event) => choose(event.currentTarget.checked)}
          />
          <span className="grid gap-0.5">
            <span>{texts.newComments}</span>
            <span id="notices-hint" className="text-[0.9375rem] text-muted">
              {user.emailVerified ? texts.newCommentsHint : texts.needsVerified}
            </span>
          </span>
        </label>
      )}
      <TaskMessage result={task.result} />
    </AccountSection>
  );
}
