import '../../language/member-messages.ts';
import { isLanguage } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { MissingScreen } from '../../not-found/missing-screen.tsx';
import { DeskPage } from '../desk-page.tsx';
import { TranslationScreen, TranslationSkeleton } from '../translations/page/translation-screen.tsx';
import type { Route } from './+types/translation.ts';

export function meta({ matches, params }: Route.MetaArgs) {
  const path = `/admin/posts/${params.id}/translations/${params.language}`;
  return buildUnlisted(matches, path, ({ layout }) => ({ title: layout.translations }));
}

/** Shows a post's translation to accounts that may edit the post: the server decides. */
export default function Translation({ params }: Route.ComponentProps) {
  const { m } = useLanguage();
  const { id, language } = params;
  if (!isLanguage(language)) return <MissingScreen />;
  return (
    <DeskPage
      back={{ to: '/admin/translations', label: m.layout.translations }}
      skeleton={<TranslationSkeleton />}
    >
      {(userId) => <TranslationScreen userId={userId} postId={id} language={language} />}
    </DeskPage>
  );
}
