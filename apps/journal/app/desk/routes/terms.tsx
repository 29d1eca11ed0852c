import '../../language/member-messages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthorLinks } from '../../layout/author-links.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { DeskPage, ListSkeleton } from '../desk-page.tsx';
import { TermsScreen } from '../translations/terms/terms-screen.tsx';
import type { Route } from './+types/terms.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/terms', ({ layout }) => ({ title: layout.terms }));
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
