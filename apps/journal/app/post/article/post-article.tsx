import { Maximize2 } from 'lucide-react';
import { ReadingEnd } from '../../analytics/reading-end.tsx';
import { useAuth } from '../../client/client-context.tsx';
import type { ImageFrame } from '../../images/image-frame.ts';
import { ResponsiveImage, useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import type { PostPage } from '../load-post.ts';
import type { ServedPost } from '../served-post.ts';
import { Byline } from './byline.tsx';
import { DeletePost } from './delete-post.tsx';
import { Engagement } from './engagement.tsx';
import { LanguageNote } from './language-note.tsx';
import { MissingTranslations } from './missing-translations.tsx';
import { useFreshPost } from './use-fresh-post.ts';

/** The artwork is cropped to 16:10 and is as wide as `artwork-width` within `page-width`. */
const HERO_FRAME: ImageFrame = {
  ratio: 16 / 10,
  widths: [['min(92vw, 74rem, max(38rem, (100vh - 18rem) * 1.6))']],
};

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
        {user?.id === post.userId && <DeletePost postId={post.id} />}
      </div>
      <article className="mt-4">
        <Hero post={post} />
        <div className="mx-auto max-w-[38rem]">
          <header className="pt-10 pb-8 sm:pt-12 sm:pb-10">
            <h1 lang={post.titleLanguage ?? ''} className="display-title [overflow-wrap:anywhere]">
              {post.title}
            </h1>
            <Byline post={post} />
            <LanguageNote post={post} />
            {user?.id === post.userId && <MissingTranslations key={post.id} post={post} />}
          </header>
          <div lang={post.textLanguage ?? ''} className="prose-text">
            <LinkedText>{post.content}</LinkedText>
          </div>
          <ReadingEnd key={`read-${post.id}`} text={post.content} />
          <Engagement key={post.id} post={post} served={served} reload={reload} />
        </div>
      </article>
    </div>
  );
}

/** Renders the artwork at 16:10, with a link to the whole image. */
function Hero({ post }: { post: PostPage }) {
  const { m } = useLanguage();
  return (
    <figure className="artwork-width relative">
      <ResponsiveImage
        source={post.image}
        frame={HERO_FRAME}
        alt={m.post.illustrationOf(post.title)}
        loading="first"
        className="aspect-[16/10] w-full text-sm text-muted"
        style={{ viewTransitionName: `artwork-${post.id}` }}
      />
      <a
        href={useStorageUrl(post.image.url)}
        target="_blank"
        rel="noopener"
        className="absolute right-3 bottom-3 inline-flex min-h-10 items-center gap-2 rounded-xs bg-paper/90 px-3.5 text-sm font-medium text-ink backdrop-blur-sm transition-colors hover:text-accent"
      >
        <Maximize2 aria-hidden="true" className="size-4" />
        <span className="max-sm:sr-only">{m.post.wholeImage}</span>
      </a>
    </figure>
  );
}
