import type { User } from '@fabrica/contract';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountSection } from './account-section.tsx';
import { TaskOutcome } from './task-outcome.tsx';
import { useNotices } from './use-notices.ts';
import { useTask } from './use-task.ts';

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
      {status === 'loading' && (
        <div role="status">
          <span className="sr-only">{texts.loading}</span>
          <Skeleton className="h-12" />
        </div>
      )}
      {status === 'failed' && (
        <div className="grid justify-items-start gap-3">
          <p role="alert" className="text-accent">
            {texts.loadFailed}
          </p>
          <Button variant="outline" size="small" onClick={load}>
            {m.layout.tryAgain}
          </Button>
        </div>
      )}
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
      <TaskOutcome outcome={task.outcome} />
    </AccountSection>
  );
}
