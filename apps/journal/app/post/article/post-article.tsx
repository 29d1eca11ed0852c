import { Pencil } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import { ReadingEnd } from '../../analytics/reading-end.tsx';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useCanonicalAddress } from '../../layout/canonical-address.ts';
import { canonicalUrl } from '../../layout/metadata.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { loadLater } from '../../ui/load-later.ts';
import type { PostPage } from '../load-post.ts';
import { addressOf, readingPath } from '../post-address.ts';
import { AuthorCard } from '../read-on/author-card.tsx';
import { ReadOn } from '../read-on/read-on.tsx';
import type { ServedPost } from '../served-post.ts';
import { Engagement } from './engagement.tsx';
import { PostBody } from './post-body.tsx';
import { useFreshPost } from './use-fresh-post.ts';

/** These are for the post's owner alone, so other readers do not load them. */
const DeletePost = loadLater(async () => (await import('./delete-post.tsx')).DeletePost);
const MissingTranslations = loadLater(
  async () => (await import('./missing-translations.tsx')).MissingTranslations,
);

/** Renders a post: its artwork, its text in the reader's language, and the bar for likes, comments and sharing. */
export function PostArticle({ post: loaded, served }: { post: PostPage; served: ServedPost }) {
  const { m, language } = useLanguage();
  const { post, reload } = useFreshPost(loaded);
  const { user } = useAuth();
  const hasWords = Object.keys(post.slugs).length > 0;
  useCanonicalAddress({
    id: post.id,
    path: hasWords ? readingPath(post, language) : undefined,
    language,
  });
  return (
    <div className="page-width pt-6 pb-16 sm:pb-28">
      <div className="artwork-width flex min-h-11 flex-wrap items-center justify-between gap-x-6">
        <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
        <div className="flex flex-wrap gap-x-6">
          <EditPost post={post} />
          <Suspense>{user?.id === post.userId && <DeletePost postId={post.id} />}</Suspense>
        </div>
      </div>
      <PostBody
        post={post}
        isPublic
        report={{ state: served.report, result: served.result }}
        notes={
          <Suspense>{user?.id === post.userId && <MissingTranslations key={post.id} post={post} />}</Suspense>
        }
      >
        <ReadingEnd key={`read-${post.id}`} words={post.words} />
        <Engagement key={post.id} post={post} served={served} reload={reload} />
        <PrintedUrl post={post} />
        <AuthorCard post={post} />
      </PostBody>
      <ReadOn {...post.readOn} />
    </div>
  );
}

/** Leads those who may edit the post to the desk: its owner, the people who are named in it, and editors. */
function EditPost({ post }: { post: PostPage }) {
  const { m } = useLanguage();
  const { user } = useAuth();
  const { auth } = useClient();
  const isNamed = post.byline.some(({ userId }) => userId === user?.id);
  if (!user || !(user.id === post.userId || isNamed || auth.can('posts.edit-any'))) return null;
  return (
    <Link
      to={`/admin/posts/${post.id}`}
      className={`${buttonClass({ variant: 'quiet', size: 'small' })} -mx-3`}
    >
      <Pencil aria-hidden="true" className="size-4" />
      {m.post.edit}
    </Link>
  );
}

/** Says on paper where the page is found. */
function PrintedUrl({ post }: { post: PostPage }) {
  const page = useRouteLoaderData<{ publicUrl: string }>('root');
  const { language } = useLanguage();
  return (
    <p className="mt-8 hidden border-t border-hairline pt-3 text-sm text-muted [overflow-wrap:anywhere] print:block">
      {canonicalUrl({ publicUrl: page?.publicUrl ?? '', ...addressOf(post), language })}
    </p>
  );
}
