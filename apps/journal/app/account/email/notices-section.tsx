import type { User } from '@fabrica/contract';
import { useState } from 'react';
import { NAMED, NEW_COMMENTS } from '../../../project/notice-kinds.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { AccountSection } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { LoadedContent } from '../loaded-content.tsx';
import { useAccountForm } from '../use-account-form.ts';

const KINDS = [NEW_COMMENTS, NAMED] as const;

/** Lets the owner choose what mails are sent about, besides what the owner asks for. */
export function NoticesSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.notices;
  const { notifications } = useClient();
  const wanted = useLoadedData('notices', async () => (await notifications.settings()).notices);
  const [chosen, setChosen] = useState('');
  const set = (kind: string, isWanted: boolean) => wanted.update((all) => ({ ...all, [kind]: isWanted }));
  const { send, isBusy, result } = useAccountForm(({ error }) => {
    if (error) wanted.update((all) => ({ ...all, [chosen]: !all[chosen] }));
  });
  const sendsMail = useSendsMail();
  const choose = (kind: string, isWanted: boolean) => {
    if (isBusy) return;
    setChosen(kind);
    set(kind, isWanted);
    send({ intent: 'notices', kind, ...(isWanted && { wanted: 'yes' }) });
  };
  const labels = {
    [NEW_COMMENTS]: [texts.newComments, texts.newCommentsHint],
    [NAMED]: [texts.named, texts.namedHint],
  } as const;

  return (
    <AccountSection
      id="notices"
      title={texts.title}
      lead={sendsMail ? texts.lead : `${texts.lead} ${m.authMail.unsent.none}`}
    >
      <LoadedContent loaded={wanted} texts={texts} height="h-12">
        {(all) =>
          KINDS.map((kind) => (
            <label key={kind} className="flex min-h-11 cursor-pointer items-start gap-3">
              <input
                type="checkbox"
                className="mt-1 size-5 shrink-0 accent-accent"
                checked={all[kind] === true}
                aria-describedby={`notices-hint-${kind}`}
                onChange={(event) => choose(kind, event.currentTarget.checked)}
              />
              <span className="grid gap-0.5">
                <span>{labels[kind][0]}</span>
                <span id={`notices-hint-${kind}`} className="text-[0.9375rem] text-muted">
                  {user.emailVerified ? labels[kind][1] : texts.needsVerified}
                </span>
              </span>
            </label>
          ))
        }
      </LoadedContent>
      <FormMessage result={result} />
    </AccountSection>
  );
}
