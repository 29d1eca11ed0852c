import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { PeopleScreen } from '../people/people-screen.tsx';
import type { Route } from './+types/people.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/people', ({ layout }) => ({ title: layout.people }));
}

export default function People() {
  const { m } = useLanguage();
  return (
    <DeskPage
      permission="people.edit"
      back={{ to: '/gallery', label: m.post.backToGallery }}
      links={<AuthorLinks />}
      skeleton={<ListSkeleton />}
    >
      {(userId) => <PeopleScreen userId={userId} />}
    </DeskPage>
  );
}
