import '../language/member-messages.ts';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { useAuth } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { AuthorLinks } from '../layout/author-links.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { SessionEnded } from '../layout/session-ended.tsx';
import type { Route } from './+types/route.ts';
import { focusHeading } from './account-section.tsx';
import { AccountSections } from './account-sections.tsx';
import { AccountCallsContext, useAccountSession } from './account-session.ts';
import { AccountSkeleton } from './account-skeleton.tsx';

const SIGN_IN_PATH = '/auth?return_to=/account';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/account', ({ account }) => account);
}

export default function Account() {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  return (
    <div className="page-width pt-12 pb-12 sm:pt-16">
      <div className="max-lg:max-w-xl">
        <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 pb-10">
          <h1 className="display-title">{m.account.title}</h1>
          <AuthorLinks />
        </div>
        <NeedsScript />
        {isLoading ? <AccountSkeleton /> : <Owner />}
      </div>
    </div>
  );
}

/** Shows the sections to a signed-in user. Anyone else is redirected to sign in and comes back. */
function Owner() {
  const { m } = useLanguage();
  const { user } = useAuth();
  const session = useAccountSession();
  const [owner, setOwner] = useState(user);
  if (user && user !== owner) setOwner(user);
  if (user && session.expired) session.resume();
  if (session.signedOut) return <Navigate to="/gallery" replace />;
  // An owner whose session expired in a call stays on the page, with all input.
  if (!owner || (!user && !session.busy && !session.expired)) return <Navigate to={SIGN_IN_PATH} replace />;
  return (
    <AccountCallsContext value={session.calls}>
      {!user && session.expired && (
        <div className="max-w-xl pb-10">
          <SessionEnded description={m.account.sessionEnded} onReturn={() => focusHeading('profile')} />
        </div>
      )}
      <AccountSections key={owner.id} user={owner} signIns={session.signIns} />
    </AccountCallsContext>
  );
}
