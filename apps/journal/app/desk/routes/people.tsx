import '../../language/member-messages.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { ListPage } from '../list-page.tsx';
import { PeopleScreen } from '../people/people-screen.tsx';
import type { Route } from './+types/people.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/people', ({ layout }) => ({ title: layout.people }));
}

export default function People() {
  return <ListPage permission="people.edit">{(userId) => <PeopleScreen userId={userId} />}</ListPage>;
}
