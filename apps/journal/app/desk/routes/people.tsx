import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { messagesOf } from '../../language/load-messages.ts';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildMetadata } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { PeopleScreen } from '../people/people-screen.tsx';
import type { Route } from './+types/people.ts';

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const title = messagesOf(language).layout.people;
  const path = '/admin/people';
  return buildMetadata({ title, description: title, path, language, publicUrl, site, indexed: false });
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
