import { FabricaError } from '@fabrica/client';
import type { Person } from '@fabrica/contract';
import { useClient } from '../../client/client-context.tsx';
import { toast } from '../../ui/toasts.tsx';
import { deskNoticeText } from '../notices.tsx';
import { describeDeskError } from '../use-desk.ts';
import { usePages } from '../use-pages.tsx';
import type { RoleName } from './person-row.tsx';

interface PeoplePage {
  people: Person[];
  cursor: string | null;
}

const PEOPLE = '/api/auth/people';

/** Loads the accounts that a search finds, page by page, and gives them roles. Failures are shown as notices. */
export function usePeople(search: string) {
  const client = useClient();
  const pages = usePages<PeoplePage>(`people ${search}`, {
    load: async (cursor) => {
      const query = new URLSearchParams({ ...(search && { search }), ...(cursor && { cursor }) });
      return (await client.request({ method: 'GET', path: PEOPLE, query })) as PeoplePage;
    },
    append: (shown, next) => ({ ...next, people: [...shown.people, ...next.people] }),
  });
  const changeRole = async (person: Person, role: string) => {
    const show = (changed: Person) =>
      pages.update((shown) => ({
        ...shown,
        people: shown.people.map((one) => (one.id === changed.id ? changed : one)),
      }));
    show({ ...person, role });
    try {
      await client.request({ method: 'PATCH', path: `${PEOPLE}/${person.id}`, json: { role } });
      const name = person.displayName ?? person.email;
      toast.success(
        deskNoticeText(({ people }) => people.changed(name, people.roles[role as RoleName] ?? role)),
      );
    } catch (error) {
      show(person);
      const isLast = error instanceof FabricaError && error.code === 'CONFLICT';
      toast.error(
        deskNoticeText(({ people }) => people.changeFailed),
        {
          description: deskNoticeText((messages) =>
            isLast ? messages.people.last : describeDeskError(error, messages),
          ),
        },
      );
    }
  };
  return { pages, changeRole };
}
