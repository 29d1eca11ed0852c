import type { Person } from '@fabrica/contract';
import { useClient } from '../../client/client-context.tsx';
import { toast } from '../../ui/toasts.tsx';
import { deskNoticeText } from '../notices.tsx';
import { usePages } from '../use-pages.tsx';
import type { RoleName } from './person-row.tsx';

interface PeoplePage {
  people: Person[];
  cursor: string | null;
}

/** Loads the accounts that a search finds, page by page, and shows one that was given another role. */
export function usePeople(search: string) {
  const client = useClient();
  const pages = usePages<PeoplePage>(`people ${search}`, {
    load: async (cursor) => {
      const query = new URLSearchParams({ ...(search && { search }), ...(cursor && { cursor }) });
      return (await client.request({ method: 'GET', path: '/api/auth/people', query })) as PeoplePage;
    },
    append: (shown, next) => ({ ...next, people: [...shown.people, ...next.people] }),
  });
  const showChanged = (changed: Person) => {
    pages.update((shown) => ({
      ...shown,
      people: shown.people.map((one) => (one.id === changed.id ? changed : one)),
    }));
    const { email, displayName, role } = changed;
    toast.success(
      deskNoticeText(({ people }) =>
        people.changed(displayName ?? email, people.roles[role as RoleName] ?? role),
      ),
    );
  };
  return { pages, showChanged };
}
