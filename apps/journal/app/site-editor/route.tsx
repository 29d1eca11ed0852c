import '../language/member-messages.ts';
import { Suspense } from 'react';
import { Navigate } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { MissingScreen } from '../not-found/missing-screen.tsx';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { SiteEditorScreen } from './site-editor-screen.tsx';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/site', ({ layout }) => ({ title: layout.site }));
}

/** Shows the settings to those who may edit the site. Everybody else finds no page here. */
export default function SiteEditor() {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { isLoading, user } = useAuth();
  if (!isLoading && !user) return <Navigate to="/auth?return_to=/admin/site" replace />;
  if (user && !auth.can('site.edit')) return <MissingScreen />;
  return (
    <div className="page-width pt-6 pb-24">
      <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
      <h1 className="display-title pt-6 pb-4">{m.layout.site}</h1>
      <NeedsScript />
      {/* The key keeps one account's input from another. */}
      <Suspense>{user && <SiteEditorScreen key={user.id} />}</Suspense>
    </div>
  );
}
