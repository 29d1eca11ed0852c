import { data } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { formatDay } from '../language/long-date.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { PostBody } from '../post/article/post-body.tsx';
import type { Profile } from '../post/load-post.ts';
import { creditsOf, presentPost } from '../post/present-post.ts';
import type { Route } from './+types/route.ts';

/** Loads the working copy that a secret link leads to, as readers will see it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const { client, readPreview, reportFailure } = backend;
  const preview = await readPreview(params.token);
  if (!preview) return data({ preview: null }, { status: 404 });
  const { post, expiresAt } = preview;
  const profiles = client.db.table<Profile>('profiles');
  const profile = await profiles.get(post.userId).catch((error: unknown) => {
    reportFailure(error);
    return null;
  });
  const shown = {
    ...(await presentPost(post, backend)),
    ...creditsOf(post, profile),
    comments: 0,
  };
  return data({ preview: { shown, expiresAt } });
}

/** No search engine lists the page, and its address is nowhere in it. */
export function meta({ matches, loaderData }: Route.MetaArgs) {
  return buildUnlisted(matches, '/preview', ({ post }) => ({
    title: loaderData?.preview?.shown.title || post.preview.gone.title,
    metaDescription: '',
  }));
}

export default function Preview({ loaderData: { preview } }: Route.ComponentProps) {
  const { m, language } = useLanguage();
  if (!preview) return <GonePreview />;
  return (
    <div className="page-width pt-6 pb-16 sm:pb-28">
      <p
        role="note"
        className="artwork-width border-y border-hairline py-3 text-[0.9375rem] text-muted print:hidden"
      >
        {m.post.preview.note} {m.post.preview.expires(formatDay(preview.expiresAt, language))}
      </p>
      <PostBody post={preview.shown} />
    </div>
  );
}

function GonePreview() {
  const { m } = useLanguage();
  const { title, text } = m.post.preview.gone;
  return (
    <div className="page-width grid grid-cols-1 gap-5 py-14 sm:py-20">
      <h1 className="display-title">{title}</h1>
      <p className="max-w-md text-lg leading-relaxed text-muted">{text}</p>
    </div>
  );
}
