import { useState } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountSection, focusHeading } from './account-section.tsx';
import { SessionItem } from './session-item.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { useSessions } from './use-sessions.ts';

/** Where the account is signed in, and the ways to end that. */
export function SessionsSection() {
  const { m } = useLanguage();
  const texts = m.account.sessions;
  const { status, sessions, load, remove } = useSessions();
  const [ended, setEnded] = useState('');

  const end = (id: string, device: string) => {
    remove(id);
    setEnded(texts.ended(device));
    // The button that was pressed is gone.
    focusHeading('sessions');
  };

  return (
    <AccountSection id="sessions" title={texts.title} lead={texts.lead}>
      {status === 'loading' && (
        <div role="status">
          <span className="sr-only">{texts.loading}</span>
          <Skeleton className="h-24" />
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
        <ul>
          {sessions.map((session) => (
            <SessionItem key={session.id} session={session} onEnded={end} />
          ))}
        </ul>
      )}
      <p role="status" className="text-[0.9375rem] text-success empty:sr-only">
        {ended}
      </p>
      <SignOutEverywhere />
    </AccountSection>
  );
}
