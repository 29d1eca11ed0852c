import type { Person } from '@fabrica/contract';
import { type FormEvent, useEffect, useState } from 'react';
import { roles } from '../../../project/roles.ts';
import { ProvenQuestion } from '../../account/proof/proven-question.tsx';
import { SearchField } from '../search-field.tsx';
import { FailedStatement, Statement } from '../statement.tsx';
import { useDeskMessages } from '../use-desk.ts';
import { MoreButton } from '../use-pages.tsx';
import { PersonRow, type RoleName } from './person-row.tsx';
import { usePeople } from './use-people.ts';

/** The journal's roles, from the least to the most. */
const ROLES = Object.keys(roles) as RoleName[];
/** Milliseconds after the last key before a search begins. */
const PAUSE_MS = 300;

/** Lists all accounts and gives them roles. */
export function PeopleScreen({ userId }: { userId: string }) {
  const texts = useDeskMessages().people;
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  /** The change that waits for a confirmation. */
  const [asked, setAsked] = useState<{ person: Person; role: RoleName }>();

  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { pages, showChanged } = usePeople(search);
  const { data, status } = pages;

  const wordsOf = ({ person, role }: NonNullable<typeof asked>) => {
    if (person.id === userId) {
      const { title, text, confirm } = texts.ownRole;
      return { title, description: text, confirm };
    }
    const { title, text, confirm } = texts.otherRole;
    const name = person.displayName ?? person.email;
    return { title: title(name), description: text(texts.roles[role]), confirm };
  };

  return (
    <>
      <header className="grid max-w-2xl gap-3 pt-6 pb-8">
        <h1 className="display-title">{texts.title}</h1>
        <p className="text-lg leading-relaxed text-muted">{texts.lead}</p>
      </header>
      <dl className="mb-8 grid max-w-3xl gap-x-6 gap-y-1.5 border-y border-hairline py-4 text-sm sm:grid-cols-2">
        {ROLES.map((role) => (
          <div key={role} className="flex flex-wrap gap-x-2">
            <dt className="font-medium">{texts.roles[role]}</dt>
            <dd className="text-muted">{texts.explain[role]}</dd>
          </div>
        ))}
      </dl>
      <search>
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            setSearch(typed.trim());
          }}
          className="max-w-xl"
        >
          <SearchField label={texts.search} value={typed} onType={setTyped} />
        </form>
      </search>
      <p role="status" className="sr-only">
        {status === 'loading' && texts.loading}
        {status === 'ready' && data && texts.count(data.people.length)}
      </p>
      {status === 'failed' && <FailedStatement title={texts.failed} onRetry={pages.reload} />}
      {status !== 'failed' && !data && <div className="skeleton mt-6 h-64" />}
      {data?.people.length === 0 && <Statement title={texts.noMatch} />}
      {data && data.people.length > 0 && (
        <ul
          aria-busy={status === 'loading'}
          className="mt-6 border-t border-hairline transition-opacity aria-busy:opacity-55 motion-reduce:transition-none"
        >
          {data.people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              roles={ROLES}
              isSelf={person.id === userId}
              onChange={(role) => setAsked({ person, role })}
            />
          ))}
        </ul>
      )}
      <MoreButton pages={pages}>{texts.more}</MoreButton>
      {asked && (
        <ProvenQuestion
          fields={{ intent: 'change-role', person: asked.person.id, role: asked.role }}
          {...wordsOf(asked)}
          busy={texts.changing}
          describe={({ code }) => (code === 'CONFLICT' ? texts.last : undefined)}
          onDone={({ person }) => person && showChanged(person)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
