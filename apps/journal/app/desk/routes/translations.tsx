import '../../language/member-messages.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { ListPage } from '../list-page.tsx';
import { QueueScreen } from '../translations/queue/queue-screen.tsx';
import type { Route } from './+types/translations.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/translations', ({ layout }) => ({ title: layout.translations }));
}

export default function Translations() {
  return <ListPage permission="posts.create">{() => <QueueScreen />}</ListPage>;
}
