import { FabricaError } from '@fabrica/client';
import type { Person } from '@fabrica/contract';
import { useClient } from '../../client/client-context.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { deskNoticeText, showFailure } from '../notices.tsx';
import { describeDeskError } from '../use-desk.ts';
import type { RoleName } from './person-row.tsx';

interface PeoplePage {
  people: Person[];
  cursor: string | null;
}

const PEOPLE = '/api/auth/people';

/** Loads the accounts that a search finds, page by page, and gives them roles. Failures are shown as notices. */
export function usePeople(search: string) {
  const client = useClient();
  const { busy, run } = useBusy<'load'>(showFailure);
  const load = async (cursor?: string) => {
    const query = new URLSearchParams({ ...(search && { search }), ...(cursor && { cursor }) });
    return (await client.request({ method: 'GET', path: PEOPLE, query })) as PeoplePage;
  };
  const loaded = useLoadedData(`people ${search}`, () => load());
  const { data } = loaded;

  const loadMore = async () => {
    const cursor = data?.cursor;
    if (!cursor) return;
    await run('load', async () => {
      const next = await load(cursor);
      loaded.update((shown) =>
        shown === data ? { people: [...shown.people, ...next.people], cursor: next.cursor } : shown,
      );
    });
  };
  const changeRole = async (person: Person, role: string) => {
    const show = (changed: Person) =>
      loaded.update((shown) => ({
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
  return { loaded, loadingMore: busy !== undefined, loadMore, changeRole };
}
