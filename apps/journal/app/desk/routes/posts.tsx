import '../../language/member-messages.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { PostsScreen } from '../list/posts-screen.tsx';
import { ListPage } from '../list-page.tsx';
import type { Route } from './+types/posts.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/posts', ({ layout }) => ({ title: layout.posts }));
}

export default function Posts() {
  return <ListPage permission="posts.create">{(userId) => <PostsScreen userId={userId} />}</ListPage>;
}
