import '../language/member-messages.ts';
import { Suspense } from 'react';
import { Navigate } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { pageClient } from '../client/page-client.ts';
import { SessionEndContext, usePageOwner, whileSending } from '../client/use-page-owner.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { MissingScreen } from '../not-found/missing-screen.tsx';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { submitRow } from './save-row.ts';
import { SiteEditorScreen } from './site-editor-screen.tsx';

const SIGN_IN_PATH = '/auth?return_to=/admin/site';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/site', ({ layout }) => ({ title: layout.site }));
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return whileSending(submitRow(pageClient(), await request.formData()));
}

/** Shows the settings to those who may edit the site. Everybody else finds no page here. */
export default function SiteEditor() {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { isLoading, user } = useAuth();
  const { owner, onSessionEnd } = usePageOwner(SIGN_IN_PATH);
  if (!isLoading && !owner) return <Navigate to={SIGN_IN_PATH} replace />;
  if (user && !auth.can('site.edit')) return <MissingScreen />;
  return (
    <div className="page-width pt-6 pb-24">
      <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
      <h1 className="display-title pt-6 pb-4">{m.layout.site}</h1>
      <NeedsScript />
      {/* The key keeps one account's input from another. */}
      <SessionEndContext value={onSessionEnd}>
        <Suspense>{owner && <SiteEditorScreen key={owner.id} />}</Suspense>
      </SessionEndContext>
    </div>
  );
}
