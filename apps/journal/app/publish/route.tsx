import { useState, useSyncExternalStore } from 'react';
import { Navigate } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { InsightsLink } from '../layout/insights-link.tsx';
import { buildMetadata } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { PublishForm } from './form/publish-form.tsx';
import { PublishSkeleton } from './publish-skeleton.tsx';
import { publisherOf } from './publishing/publisher-of.ts';

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription } = messagesOf(language).publish;
  return buildMetadata({
    title,
    description: metaDescription,
    path: '/admin',
    language,
    publicUrl,
    indexed: false,
  });
}

export default function Publish({ matches }: Route.ComponentProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  return (
    <div className="page-width pt-6 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <BackLink to="/gallery">{m.publish.backToGallery}</BackLink>
        <InsightsLink />
      </div>
      <header className="grid max-w-2xl gap-3 pt-6 pb-10">
        <h1 className="display-title">{m.publish.title}</h1>
        <p className="text-lg leading-relaxed text-muted">{m.publish.lead}</p>
      </header>
      <NeedsScript />
      {isLoading ? <PublishSkeleton /> : <Desk {...matches[0].loaderData} />}
    </div>
  );
}

/** For whoever is signed in; anyone else is sent to the journal's first page (docs/spec/product.md section 2). */
function Desk({ publicUrl, storageOrigin }: { publicUrl: string; storageOrigin: string }) {
  const client = useClient();
  const { user } = useAuth();
  const [authorId, setAuthorId] = useState(user?.id);
  const publisher = publisherOf(client, [publicUrl, storageOrigin]);
  const phase = useSyncExternalStore(publisher.subscribe, publisher.getPhase, publisher.getPhase);
  if (user && user.id !== authorId) setAuthorId(user.id);
  // An author whose session ends while publishing stays with what was written.
  if (!authorId || (!user && phase.name === 'idle')) return <Navigate to="/" replace />;
  return <PublishForm key={authorId} authorId={authorId} publisher={publisher} phase={phase} />;
}
