import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { PostsScreen } from '../list/posts-screen.tsx';
import type { Route } from './+types/posts.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/posts', ({ layout }) => ({ title: layout.posts }));
}

export default function Posts() {
  const { m } = useLanguage();
  return (
    <DeskPage
      permission="posts.create"
      back={{ to: '/gallery', label: m.post.backToGallery }}
      links={<AuthorLinks />}
      skeleton={<ListSkeleton />}
    >
      {(userId) => <PostsScreen userId={userId} />}
    </DeskPage>
  );
}
