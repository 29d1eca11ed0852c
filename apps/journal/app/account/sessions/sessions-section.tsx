import type { SessionInfo } from '@fabrica/contract';
import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { AccountSection, focusHeading } from '../account-section.tsx';
import { LoadedContent } from '../loaded-content.tsx';
import { SessionItem } from './session-item.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** Lists the sessions of the account, and lets the owner end them. */
export function SessionsSection() {
  const { m } = useLanguage();
  const texts = m.account.sessions;
  const { auth } = useClient();
  const sessions = useLoadedData('sessions', async () =>
    (await auth.sessions()).toSorted(currentThenLastUsed),
  );
  const [ended, setEnded] = useState('');

  const remove = (id: string, device: string) => {
    sessions.update((listed) => listed.filter((session) => session.id !== id));
    setEnded(texts.ended(device));
    // The pressed button is gone, and the focus with it.
    focusHeading('sessions');
  };

  return (
    <AccountSection id="sessions" title={texts.title} lead={texts.lead}>
      <LoadedContent loaded={sessions} texts={texts} height="h-24">
        {(listed) => (
          <ul>
            {listed.map((session) => (
              <SessionItem key={session.id} session={session} onEnded={remove} />
            ))}
          </ul>
        )}
      </LoadedContent>
      <p role="status" className="text-[0.9375rem] text-success empty:sr-only">
        {ended}
      </p>
      <SignOutEverywhere />
    </AccountSection>
  );
}

/** Orders the current session first, then those that were used last. */
function currentThenLastUsed(a: SessionInfo, b: SessionInfo): number {
  return Number(b.current) - Number(a.current) || b.lastUsedAt.localeCompare(a.lastUsedAt);
}
