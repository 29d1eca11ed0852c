import type { User } from '@fabrica/contract';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { NEW_COMMENTS } from '../account-action.ts';
import { AccountSection } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { LoadedContent } from '../loaded-content.tsx';
import { useAccountForm } from '../use-account-form.ts';

/** Lets the owner choose whether mails about new comments are sent. */
export function NoticesSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.notices;
  const { notifications } = useClient();
  const wanted = useLoadedData('notices', async () => {
    const { notices } = await notifications.settings();
    return notices[NEW_COMMENTS] === true;
  });
  const { send, isBusy, result } = useAccountForm(({ error }) => {
    if (error) wanted.update((isWanted) => !isWanted);
  });
  const sendsMail = useSendsMail();
  const choose = (isWanted: boolean) => {
    if (isBusy) return;
    wanted.update(() => isWanted);
    send({ intent: 'notices', ...(isWanted && { wanted: 'yes' }) });
  };

  return (
    <AccountSection
      id="notices"
      title={texts.title}
      lead={sendsMail ? texts.lead : `${texts.lead} ${m.authMail.unsent.none}`}
    >
      <LoadedContent loaded={wanted} texts={texts} height="h-12">
        {(isWanted) => (
          <label className="flex min-h-11 cursor-pointer items-start gap-3">
            <input
              type="checkbox"
              className="mt-1 size-5 shrink-0 accent-accent"
              checked={isWanted}
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
      </LoadedContent>
      <FormMessage result={result} />
    </AccountSection>
  );
}
