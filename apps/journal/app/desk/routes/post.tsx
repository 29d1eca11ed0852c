import '../../language/member-messages.ts';
import { useEffect } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { DeskPage } from '../desk-page.tsx';
import { DeskScreen, DeskSkeleton } from '../editor/desk-screen.tsx';
import { forgetOpened, openEarly } from '../open-early.ts';
import type { Route } from './+types/post.ts';

if (typeof document !== 'undefined') openEarly();

export function meta({ matches, params }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const title = messagesOf(language).post.edit;
  const path = `/admin/posts/${params.id}`;
  return buildMetadata({ title, description: title, path, language, publicUrl, site, indexed: false });
}

/** Shows the desk to accounts that may edit the post: the server decides, as also readers may be named in it. */
export default function Post({ params }: Route.ComponentProps) {
  const { m } = useLanguage();
  useEffect(() => forgetOpened, []);
  return (
    <DeskPage back={{ to: '/admin/posts', label: m.layout.posts }} skeleton={<DeskSkeleton />}>
      {(userId) => <DeskScreen userId={userId} postId={params.id} />}
    </DeskPage>
  );
}
