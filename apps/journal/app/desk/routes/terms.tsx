import '../../language/member-messages.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { ListPage } from '../list-page.tsx';
import { TermsScreen } from '../translations/terms/terms-screen.tsx';
import type { Route } from './+types/terms.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/terms', ({ layout }) => ({ title: layout.terms }));
}

export default function Terms() {
  return <ListPage permission="posts.create">{() => <TermsScreen />}</ListPage>;
}
