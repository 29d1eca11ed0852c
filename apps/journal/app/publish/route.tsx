import '../language/member-messages.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Navigate, useLocation, useNavigationType } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { AuthorLinks } from '../layout/author-links.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { draftTabOf } from './draft/draft-tab.ts';
import { DraftElsewhere } from './form/draft-elsewhere.tsx';
import { PublishForm, type PublishFormProps } from './form/publish-form.tsx';
import { postPublisherOf } from './publishing/post-publisher.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin', ({ publish }) => publish);
}

export default function Publish({ matches }: Route.ComponentProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  return (
    <div className="page-width pt-6 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
        <AuthorLinks />
      </div>
      <header className="grid max-w-2xl gap-3 pt-6 pb-10">
        <h1 className="display-title">{m.publish.title}</h1>
        <p className="text-lg leading-relaxed text-muted">{m.publish.lead}</p>
      </header>
      <NeedsScript />
      {isLoading ? <PublishSkeleton /> : <SignedInForm {...matches[0].loaderData} />}
    </div>
  );
}

/**
 * Shows the form to signed-in authors and redirects visitors to the home page (docs/spec/product.md section 2).
 */
function SignedInForm({ publicUrl, storageOrigin }: { publicUrl: string; storageOrigin: string }) {
  const client = useClient();
  const { user } = useAuth();
  const [authorId, setAuthorId] = useState(user?.id);
  const publisher = postPublisherOf(client, [publicUrl, storageOrigin]);
  const phase = useSyncExternalStore(publisher.subscribe, publisher.getPhase, publisher.getPhase);
  if (user && user.id !== authorId) setAuthorId(user.id);
  // An author whose session ends during a publish stays on the form.
  if (!authorId || (!user && phase.name === 'idle')) return <Navigate to="/" replace />;
  if (user && !client.auth.can('posts.create')) return <NotAllowed />;
  return <OpenDraft key={authorId} authorId={authorId} publisher={publisher} phase={phase} />;
}

/** Shows the form with the draft of this tab, unless another tab edits it. */
function OpenDraft(props: Omit<PublishFormProps, 'draftId' | 'onOpenDraft'>) {
  const tab = draftTabOf(useClient(), props);
  const state = useSyncExternalStore(tab.subscribe, tab.getState, tab.getState);
  const beginning = useBeginning();
  useEffect(() => {
    tab.enter(beginning.current);
    return () => tab.leave();
  }, [tab, beginning]);
  switch (state.name) {
    case 'opening':
      return <PublishSkeleton />;
    case 'elsewhere':
      return <DraftElsewhere tab={tab} />;
    case 'editing':
      return (
        <PublishForm
          key={state.draftId}
          draftId={state.draftId}
          onOpenDraft={(number) => void tab.openDraft(number)}
          {...props}
        />
      );
  }
}

/** Holds the name of a visit that came by a link, as that of Create Post; not by a reload or the way back, nor by typing. */
function useBeginning() {
  const { key } = useLocation();
  return useRef(useNavigationType() === 'PUSH' ? key : undefined);
}

/** Tells a reader, before anything is written or uploaded, that the account's role does not publish. */
function NotAllowed() {
  const { m } = useLanguage();
  return <p className="max-w-2xl border-y border-hairline py-4 text-lg">{m.publish.failure.forbidden}</p>;
}

/** Reserves the form's place until it is known who is signed in. */
function PublishSkeleton() {
  return (
    <div className="grid gap-x-16 unscripted:hidden gap-y-10 lg:grid-cols-[minmax(0,24rem)_1fr]">
      <div className="skeleton mt-7 aspect-[16/10] lg:aspect-[4/5]" />
      <div className="grid content-start gap-6">
        <div className="skeleton mt-7 h-12" />
        <div className="skeleton mt-7 h-96" />
      </div>
    </div>
  );
}
