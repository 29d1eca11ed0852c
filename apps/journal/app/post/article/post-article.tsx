import { ReadingEnd } from '../../analytics/reading-end.tsx';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { LongDate } from '../../language/long-date.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import type { PostPage } from '../load-post.ts';
import { NeighbourLinks } from '../neighbours/neighbour-links.tsx';
import { DeletePost } from './delete-post.tsx';
import { Engagement } from './engagement.tsx';
import { Hero } from './hero.tsx';
import { MissingTranslations } from './missing-translations.tsx';
import { PrintedUrl } from './printed-url.tsx';
import { useFreshPost } from './use-fresh-post.ts';

export interface PostArticleProps {
  post: PostPage;
  /** Whether the reader likes the post, where the server knows. */
  liked: boolean | null;
}

/** Renders a post: its artwork, its text in the reader's language, and the bar for likes, comments and sharing. */
export function PostArticle({ post: loaded, liked }: PostArticleProps) {
  const { m, language } = useLanguage();
  const { post, reload } = useFreshPost(loaded);
  const { user } = useAuth();
  return (
    <div className="page-width pt-6 pb-16 sm:pb-28">
      <div className="artwork-width flex min-h-11 flex-wrap items-center justify-between gap-x-6">
        <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
        {user?.id === post.userId && <DeletePost postId={post.id} />}
      </div>
      <article className="artwork-width mt-4">
        <Hero post={post} />
        <div className="max-w-[38rem]">
          <header className="pt-10 pb-8 sm:pt-12 sm:pb-10">
            <h1 className="display-title [overflow-wrap:anywhere]">{post.title}</h1>
            <p className="dotted-line mt-5 text-[0.9375rem] text-muted">
              <span>
                {post.author && <span className="[overflow-wrap:anywhere]">{post.author}</span>}
                <LongDate time={post.createdAt} />
              </span>
            </p>
            {user?.id === post.userId && <MissingTranslations key={post.id} post={post} />}
          </header>
          <div lang={language} className="prose-text">
            {post.content}
          </div>
          <ReadingEnd key={`read-${post.id}`} text={post.content} />
          <Engagement key={post.id} post={post} liked={liked} reload={reload} />
          <PrintedUrl path={`/post/${post.id}`} />
        </div>
      </article>
      <div className="artwork-width">
        <NeighbourLinks {...post.neighbours} />
      </div>
    </div>
  );
}
