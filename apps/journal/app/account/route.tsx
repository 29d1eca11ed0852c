import '../language/member-messages.ts';
import { Navigate } from 'react-router';
import { useAuth } from '../client/client-context.tsx';
import { pageClient } from '../client/page-client.ts';
import { SessionEndContext, usePageOwner, whileSending } from '../client/use-page-owner.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { AuthorLinks } from '../layout/author-links.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { SessionEnded } from '../layout/session-ended.tsx';
import type { Route } from './+types/route.ts';
import { submitAccountForm } from './account-action.ts';
import { focusHeading } from './account-section.tsx';
import { AccountSections } from './account-sections.tsx';
import { AccountSkeleton } from './account-skeleton.tsx';

const SIGN_IN_PATH = '/auth?return_to=/account';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/account', ({ account }) => account);
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return whileSending(submitAccountForm(pageClient(), await request.formData()));
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
  const { owner, hasEnded, signIns, onSessionEnd } = usePageOwner(SIGN_IN_PATH);
  if (!owner) return <Navigate to={SIGN_IN_PATH} replace />;
  return (
    <SessionEndContext value={onSessionEnd}>
      {hasEnded && (
        <div className="max-w-xl pb-10">
          <SessionEnded description={m.account.sessionEnded} onReturn={() => focusHeading('profile')} />
        </div>
      )}
      <AccountSections key={owner.id} user={owner} signIns={signIns} />
    </SessionEndContext>
  );
}
