import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { QueueScreen } from '../translations/queue/queue-screen.tsx';
import type { Route } from './+types/translations.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/translations', ({ layout }) => ({ title: layout.translations }));
}

export default function Translations() {
  const { m } = useLanguage();
  return (
    <DeskPage
      permission="posts.create"
      back={{ to: '/gallery', label: m.post.backToGallery }}
      links={<AuthorLinks />}
      skeleton={<ListSkeleton />}
    >
      {() => <QueueScreen />}
    </DeskPage>
  );
}
