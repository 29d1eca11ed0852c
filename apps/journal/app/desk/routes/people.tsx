import '../../language/member-messages.ts';
import { submitAccountForm } from '../../account/account-action.ts';
import { pageClient } from '../../client/page-client.ts';
import { whileSending } from '../../client/use-page-owner.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { ListPage } from '../list-page.tsx';
import { PeopleScreen } from '../people/people-screen.tsx';
import type { Route } from './+types/people.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/admin/people', ({ layout }) => ({ title: layout.people }));
}

/** Changes roles, and takes the proofs that this asks for, as the account page does. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  return whileSending(submitAccountForm(pageClient(), await request.formData()));
}

export default function People() {
  return <ListPage permission="people.edit">{(userId) => <PeopleScreen userId={userId} />}</ListPage>;
}
