import type { User } from '@fabrica/contract';
import { BadgeCheck, CircleDashed } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { AccountSection, focusHeading } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import { VerificationCode } from './verification-code.tsx';

/** Shows the e-mail address, and lets the owner verify it. */
export function EmailSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.email;
  const { send } = m.authMail;
  const sendsMail = useSendsMail();
  const [sent, setSent] = useState(false);
  const sending = useAccountForm(({ error }) => error || setSent(true));
  const verifying = useAccountForm(({ error }) => error || focusHeading('email'));
  useVerifiedElsewhere(sent && !user.emailVerified);

  const Mark = user.emailVerified ? BadgeCheck : CircleDashed;
  return (
    <AccountSection id="email" title={texts.title}>
      <div className="grid gap-1">
        <p className="text-lg [overflow-wrap:anywhere]">{user.email}</p>
        <p
          className={`flex items-center gap-1.5 text-[0.9375rem] ${user.emailVerified ? 'text-success' : 'text-muted'}`}
        >
          <Mark aria-hidden="true" className="size-4 shrink-0" />
          {user.emailVerified ? texts.verified : texts.unverified}
        </p>
      </div>
      {!user.emailVerified && (
        <div className="grid justify-items-start gap-4">
          {sent || (
            <p className="leading-relaxed text-pretty text-muted">
              {sendsMail ? texts.why : m.authMail.unsent.lead}
            </p>
          )}
          <FormMessage result={sending.result} />
          {sent && <VerificationCode form={verifying} />}
          <Button
            variant={sent ? 'quiet' : 'outline'}
            className={sent ? '-ml-5' : ''}
            busy={sending.isBusy}
            onClick={() => sending.send({ intent: 'send-verification' })}
          >
            {sending.isBusy ? texts.sending : sent ? send.again : sendsMail ? texts.send : send.code}
          </Button>
        </div>
      )}
      <FormMessage result={verifying.result} />
    </AccountSection>
  );
}

/** Reloads the user when this tab becomes visible, because the link of the mail opens in another tab. */
function useVerifiedElsewhere(waiting: boolean): void {
  const { auth } = useClient();
  useEffect(() => {
    if (!waiting) return;
    const reloadUser = () => {
      // A failure changes nothing, and the code can still be typed.
      if (document.visibilityState === 'visible') auth.me().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', reloadUser);
    return () => document.removeEventListener('visibilitychange', reloadUser);
  }, [waiting, auth]);
}
