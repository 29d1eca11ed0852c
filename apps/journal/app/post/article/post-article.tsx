import { Suspense } from 'react';
import { useRouteLoaderData } from 'react-router';
import { ReadingEnd } from '../../analytics/reading-end.tsx';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { canonicalUrl } from '../../layout/metadata.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { loadLater } from '../../ui/load-later.ts';
import type { PostPage } from '../load-post.ts';
import { NeighbourLinks } from '../neighbours/neighbour-links.tsx';
import type { ServedPost } from '../served-post.ts';
import { Byline } from './byline.tsx';
import { Engagement } from './engagement.tsx';
import { Hero } from './hero.tsx';
import { LanguageNote } from './language-note.tsx';
import { useFreshPost } from './use-fresh-post.ts';

/** These are for the post's owner alone, so other readers do not load them. */
const DeletePost = loadLater(async () => (await import('./delete-post.tsx')).DeletePost);
const MissingTranslations = loadLater(
  async () => (await import('./missing-translations.tsx')).MissingTranslations,
);

export interface PostArticleProps {
  post: PostPage;
  served: ServedPost;
}

/** Renders a post: its artwork, its text in the reader's language, and the bar for likes, comments and sharing. */
export function PostArticle({ post: loaded, served }: PostArticleProps) {
  const { m } = useLanguage();
  const { post, reload } = useFreshPost(loaded);
  const { user } = useAuth();
  return (
    <div className="page-width pt-6 pb-16 sm:pb-28">
      <div className="artwork-width flex min-h-11 flex-wrap items-center justify-between gap-x-6">
        <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
        <Suspense>{user?.id === post.userId && <DeletePost postId={post.id} />}</Suspense>
      </div>
      <article className="artwork-width mt-4">
        <Hero post={post} />
        <div className="max-w-[38rem]">
          <header className="pt-10 pb-8 sm:pt-12 sm:pb-10">
            <h1 lang={post.titleLanguage ?? ''} className="display-title [overflow-wrap:anywhere]">
              {post.title}
            </h1>
            <Byline post={post} />
            <LanguageNote post={post} />
            <Suspense>
              {user?.id === post.userId && <MissingTranslations key={post.id} post={post} />}
            </Suspense>
          </header>
          <div lang={post.textLanguage ?? ''} className="prose-text">
            <LinkedText>{post.content}</LinkedText>
          </div>
          <ReadingEnd key={`read-${post.id}`} text={post.content} />
          <Engagement key={post.id} post={post} served={served} reload={reload} />
          <PrintedUrl path={`/post/${post.id}`} />
        </div>
      </article>
      <div className="artwork-width">
        <NeighbourLinks {...post.neighbours} />
      </div>
    </div>
  );
}

/** Says on paper where the page is found. */
function PrintedUrl({ path }: { path: string }) {
  const page = useRouteLoaderData<{ publicUrl: string }>('root');
  const { language } = useLanguage();
  return (
    <p className="mt-8 hidden border-t border-hairline pt-3 text-sm text-muted [overflow-wrap:anywhere] print:block">
      {canonicalUrl({ publicUrl: page?.publicUrl ?? '', path, language })}
    </p>
  );
}
