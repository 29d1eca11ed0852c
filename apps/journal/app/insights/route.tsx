import '../language/member-messages.ts';
import { Navigate, useLocation } from 'react-router';
import { useAuth } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { InsightsScreen } from './insights-screen.tsx';
import { InsightsSkeleton } from './insights-skeleton.tsx';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/insights', ({ layout }) => ({
    title: layout.insights,
    metaDescription: layout.insightsLead,
  }));
}

export default function Insights() {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  return (
    <div className="page-width pt-6 pb-24">
      <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
      <header className="grid max-w-2xl gap-3 pt-6 pb-10">
        <h1 className="display-title">{m.layout.insights}</h1>
        <p className="text-lg leading-relaxed text-muted">{m.layout.insightsLead}</p>
      </header>
      <NeedsScript />
      {isLoading ? <InsightsSkeleton /> : <SignedInInsights />}
    </div>
  );
}

/** Shows the insights to a signed-in user. Anyone else is redirected to sign in and comes back to the same range. */
function SignedInInsights() {
  const { user } = useAuth();
  const { pathname, search } = useLocation();
  // The key remounts the screen for another user, so that it never shows the data of the user before.
  if (user) return <InsightsScreen key={user.id} user={user} />;
  return <Navigate to={`/auth?${new URLSearchParams({ return_to: `${pathname}${search}` })}`} replace />;
}
