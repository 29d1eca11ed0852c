import { data } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { PostArticle } from './article/post-article.tsx';
import { loadPost } from './load-post.ts';
import { describeMissingPost, describePost } from './post-metadata.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  const post = await loadPost(params.id, context.get(backendContext));
  return data(post, { status: post ? 200 : 404 });
}

export { shouldRevalidate } from '../layout/should-revalidate.ts';

export function meta({ matches, loaderData: post, params }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const options = { id: params.id, language, publicUrl };
  return post ? describePost(post, options) : describeMissingPost(options);
}

export default function Post({ loaderData: post }: Route.ComponentProps) {
  return post ? <PostArticle post={post} /> : <MissingPost />;
}

/** Renders the page for a post that does not exist. */
function MissingPost() {
  const { m } = useLanguage();
  return (
    <div className="page-width pt-6 pb-24">
      <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
      <div className="grid grid-cols-1 gap-5 py-14 sm:py-20">
        <h1 className="display-title">{m.post.notFound.title}</h1>
        <p className="max-w-md text-lg leading-relaxed text-muted">{m.post.notFound.text}</p>
      </div>
    </div>
  );
}
