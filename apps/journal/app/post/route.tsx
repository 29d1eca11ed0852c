import { data } from 'react-router';
import { backendContext } from '../backend-context.ts';
import type { Route } from './+types/route.ts';
import { PostArticle } from './article/post-article.tsx';
import { loadPost } from './load-post.ts';
import { MissingPost } from './missing-post.tsx';
import { describeMissingPost, describePost } from './post-metadata.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  const post = await loadPost(params.id, context.get(backendContext));
  return data(post, { status: post ? 200 : 404 });
}

export function meta({ matches, loaderData: post, params }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const facts = { id: params.id, language, publicUrl };
  return post ? describePost(post, facts) : describeMissingPost(facts);
}

export default function Post({ loaderData: post }: Route.ComponentProps) {
  return post ? <PostArticle post={post} /> : <MissingPost />;
}
