import { FabricaError } from '@fabrica/client';
import { data, redirect } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { pageClient } from '../client/page-client.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { readFormData } from '../sign-in/forms/form-fields.ts';
import { BackLink } from '../ui/back-link.tsx';
import type { Route } from './+types/route.ts';
import { PostArticle } from './article/post-article.tsx';
import { loadPostPage } from './load-post.ts';
import { submitPostForm, submitWithoutScript } from './post-action.ts';
import { findPost } from './post-address.ts';
import { describeMissingPost, describePost } from './post-metadata.ts';
import { loadServedPost } from './served-post.ts';

const NOT_READ = 'The replica does not have this post, and the primary of the database is away.';
const NOTHING_SERVED = { liked: null, opened: null, translatesComments: false, report: null };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const found = await findPost(backend.client, params.id);
  if (!found && backend.mayLackCommits)
    throw new FabricaError('DATABASE_UNAVAILABLE', NOT_READ, { status: 503 });
  if (!found) return data({ post: null, ...NOTHING_SERVED }, { status: 404 });
  if ('movedTo' in found) throw redirect(found.movedTo, 301);
  const post = await loadPostPage(found.post, backend);
  return data({ post, ...(await loadServedPost(post.id, url.searchParams, backend)) });
}

export async function action({ context, request, url, params }: Route.ActionArgs) {
  const fields = await readFormData(request);
  return submitWithoutScript(context.get(backendContext), { url, pageId: params.id, fields });
}

export async function clientAction({ request, params }: Route.ClientActionArgs) {
  const sender = { client: pageClient(), reportFailure: reportError };
  return submitPostForm(sender, { pageId: params.id, fields: await request.formData() });
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
