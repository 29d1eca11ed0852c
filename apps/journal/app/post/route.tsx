import { data } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { readFormData } from '../sign-in/forms/form-fields.ts';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { PostArticle } from './article/post-article.tsx';
import { loadPost } from './load-post.ts';
import { handlePostForm } from './post-action.ts';
import { describeMissingPost, describePost } from './post-metadata.ts';
import { loadServedPost } from './served-post.ts';

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const post = await loadPost(params.id, backend);
  if (!post) return data({ post, liked: null, opened: null }, { status: 404 });
  return data({ post, ...(await loadServedPost(post.id, url.searchParams, backend)) });
}

/** Handles a form that was sent without JavaScript. */
export async function action({ context, request, url, params }: Route.ActionArgs) {
  const fields = await readFormData(request);
  return handlePostForm(context.get(backendContext), { postId: params.id, url, fields });
}

export { shouldRevalidate } from '../layout/should-revalidate.ts';

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const options = { id: params.id, language, publicUrl, site };
  const post = loaderData?.post;
  return post ? describePost(post, options) : describeMissingPost(options);
}

export default function Post({ loaderData: { post, ...served }, actionData: result }: Route.ComponentProps) {
  return post ? <PostArticle post={post} served={{ ...served, result }} /> : <MissingPost />;
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
