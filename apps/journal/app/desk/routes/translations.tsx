import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { messagesOf } from '../../language/load-messages.ts';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildMetadata } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { QueueScreen } from '../translations/queue/queue-screen.tsx';
import type { Route } from './+types/translations.ts';

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const title = messagesOf(language).layout.translations;
  const path = '/admin/translations';
  return buildMetadata({ title, description: title, path, language, publicUrl, site, indexed: false });
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
