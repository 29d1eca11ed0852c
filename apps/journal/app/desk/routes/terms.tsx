import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { messagesOf } from '../../language/load-messages.ts';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildMetadata } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { TermsScreen } from '../translations/terms/terms-screen.tsx';
import type { Route } from './+types/terms.ts';

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const title = messagesOf(language).layout.terms;
  const path = '/admin/terms';
  return buildMetadata({ title, description: title, path, language, publicUrl, site, indexed: false });
}

export default function Terms() {
  const { m } = useLanguage();
  return (
    <DeskPage
      permission="translations.review"
      back={{ to: '/gallery', label: m.post.backToGallery }}
      links={<AuthorLinks />}
      skeleton={<ListSkeleton />}
    >
      {() => <TermsScreen />}
    </DeskPage>
  );
}
