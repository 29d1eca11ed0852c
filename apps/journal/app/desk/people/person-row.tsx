import type { Person } from '@fabrica/contract';
import { Portrait } from '../../images/portrait.tsx';
import { CONTROL_CLASS } from '../../ui/field.tsx';
import type { DeskMessages } from '../load-desk-messages.ts';
import { useDeskMessages, useTimes } from '../use-desk.ts';

export type RoleName = keyof DeskMessages['people']['roles'];

interface PersonRowProps {
  person: Person;
  roles: readonly RoleName[];
  /** Whether it is the account that is signed in here. */
  isSelf: boolean;
  onChange(role: RoleName): void;
}

/** Shows an account with its role. */
export function PersonRow({ person, roles, isSelf, onChange }: PersonRowProps) {
  const texts = useDeskMessages().people;
  const times = useTimes();
  const name = person.displayName ?? person.email;
  const isKnown = roles.some((role) => role === person.role);
  return (
    <li className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 border-b border-hairline py-3.5 sm:grid-cols-[auto_1fr_auto]">
      <Portrait photoUrl={person.photoURL} name={name} />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">
          {name}
          {isSelf && <span className="font-normal text-muted"> ({texts.you})</span>}
          {person.disabled && <span className="font-normal text-accent"> ({texts.disabled})</span>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          {person.displayName && <span>{person.email}</span>}
          <span>{texts.joined(times.day(Date.parse(person.createdAt)))}</span>
        </p>
      </div>
      <select
        aria-label={texts.role(name)}
        value={person.role}
        onChange={({ target }) => onChange(target.value as RoleName)}
        className={`${CONTROL_CLASS} min-h-11 max-sm:col-span-2 sm:w-auto`}
      >
        {!isKnown && <option value={person.role}>{person.role}</option>}
        {roles.map((role) => (
          <option key={role} value={role}>
            {texts.roles[role]}
          </option>
        ))}
      </select>
    </li>
  );
}
