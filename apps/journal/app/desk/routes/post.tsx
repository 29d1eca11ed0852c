import '../../language/member-messages.ts';
import { useEffect } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { DeskPage } from '../desk-page.tsx';
import { DeskScreen, DeskSkeleton } from '../editor/desk-screen.tsx';
import { forgetOpened, openEarly } from '../open-early.ts';
import type { Route } from './+types/post.ts';

if (typeof document !== 'undefined') openEarly();

export function meta({ matches, params }: Route.MetaArgs) {
  return buildUnlisted(matches, `/admin/posts/${params.id}`, ({ post }) => ({ title: post.edit }));
}

/** Shows the desk to accounts that may edit the post: the server decides, as also readers may be named in it. */
export default function Post({ params }: Route.ComponentProps) {
  const { m } = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route stays when one post follows another
  useEffect(() => forgetOpened, [params.id]);
  return (
    <DeskPage back={{ to: '/admin/posts', label: m.layout.posts }} skeleton={<DeskSkeleton />}>
      {(userId) => <DeskScreen userId={userId} postId={params.id} />}
    </DeskPage>
  );
}
