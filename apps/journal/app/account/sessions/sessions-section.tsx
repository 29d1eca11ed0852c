import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { AccountSection, focusHeading } from '../account-section.tsx';
import { LoadState } from '../load-state.tsx';
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
      <LoadState
        status={status}
        loading={texts.loading}
        failed={texts.loadFailed}
        className="h-24"
        onTryAgain={load}
      />
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
