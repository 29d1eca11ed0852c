import '../language/member-messages.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { AskForRole } from '../layout/ask-for-role.tsx';
import { AuthorLinks } from '../layout/author-links.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { useHasModel } from '../site/site.ts';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { emptyDraft, keepImage, keepText } from './drafts.ts';
import { type FormerDraft, listFormerDrafts, removeFormerDraft } from './former-drafts.ts';
import { OtherDrafts } from './other-drafts.tsx';
import { PublishForm, type PublishFormProps } from './publish-form.tsx';
import { showUntaken } from './publish-notices.tsx';
import { publishingOf } from './publishing.ts';
import { type DraftForDesk, takeToDesk } from './take-to-desk.ts';
import { useDraft } from './use-draft.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin', ({ publish }) => publish);
}

export default function Publish() {
  const { m } = useLanguage();
  const hasModel = useHasModel();
  const { isLoading } = useAuth();
  return (
    <div className="page-width pt-6 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
        <AuthorLinks />
      </div>
      <header className="grid max-w-2xl gap-3 pt-6 pb-10">
        <h1 className="display-title">{m.publish.title}</h1>
        <p className="text-lg leading-relaxed text-muted">
          {hasModel ? m.publish.lead : m.publish.leadWithoutModel}
        </p>
      </header>
      <NeedsScript />
      {isLoading ? <PublishSkeleton /> : <SignedInForm />}
    </div>
  );
}

/**
 * Shows the form to signed-in authors and redirects visitors to the home page (docs/spec/product.md section 2).
 */
function SignedInForm() {
  const client = useClient();
  const { user } = useAuth();
  const [authorId, setAuthorId] = useState(user?.id);
  const publishing = publishingOf(client);
  const phase = useSyncExternalStore(publishing.subscribe, publishing.getPhase, publishing.getPhase);
  if (user && user.id !== authorId) setAuthorId(user.id);
  // An author whose session ends during a publish stays on the form.
  if (!authorId || (!user && !phase)) return <Navigate to="/" replace />;
  if (user && !client.auth.can('posts.create')) return <AskForRole />;
  return <Drafts key={authorId} {...{ authorId, publishing, phase }} />;
}

type DraftsProps = Pick<PublishFormProps, 'publishing' | 'phase'> & { authorId: string };

/** Shows the form with the author's last draft in this browser, and offers the others. */
function Drafts({ authorId, ...rest }: DraftsProps) {
  const client = useClient();
  const navigate = useNavigate();
  const state = useDraft(authorId);
  const [former, setFormer] = useState<readonly FormerDraft[]>([]);
  const [isTaking, setTaking] = useState(false);
  useEffect(() => void listFormerDrafts(authorId).then(setFormer), [authorId]);
  if (!state) return <PublishSkeleton />;

  /** Takes a text to the desk, and removes it from here once the desk has it. */
  const take = async (given: DraftForDesk, remove: () => Promise<void>) => {
    if (isTaking) return;
    setTaking(true);
    try {
      const id = await takeToDesk(given, client);
      await remove();
      await navigate(`/admin/posts/${id}`);
    } catch (error) {
      showUntaken(error);
    }
    setTaking(false);
  };
  const removeFormer = async ({ id }: FormerDraft) => {
    await removeFormerDraft(id);
    setFormer((before) => before.filter((one) => one.id !== id));
  };
  const { title, content, image } = state.draft;
  return (
    <>
      <OtherDrafts
        drafts={state.others}
        former={former}
        disabled={rest.publishing.isBusy || isTaking}
        onOpen={state.open}
        onContinue={async (draft) => {
          const { title = '', content = '' } = draft.document;
          const kept = keepText({ ...emptyDraft(authorId), title, content, image: draft.image });
          await keepImage(kept);
          state.open(kept);
          await removeFormer(draft);
        }}
        onDesk={(draft) => void take(draft, () => removeFormer(draft))}
        onDiscard={(draft) => void removeFormer(draft)}
      />
      <PublishForm
        {...rest}
        state={state}
        isTaking={isTaking}
        onDesk={() => void take({ document: { title, content }, image }, state.remove)}
      />
    </>
  );
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
