import { looksLikeEmail } from '@fabrica/contract';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { CONTROL_CLASS } from '../../ui/field.tsx';
import { countCharacters, TextLimit } from '../../ui/text-limit.tsx';
import type { DeskPerson } from '../desk-client.ts';
import { BYLINE_ROLES, type Byline, type Contributor } from '../document.ts';
import { useDesk, useDeskMessages } from '../use-desk.ts';

interface BylineFieldProps {
  byline: Byline;
  readOnly?: boolean;
  /** Accounts that were deleted since they were named. */
  goneAccounts?: readonly string[] | undefined;
  /** The account that the post belongs to. It is named while nobody else is. */
  owner: DeskPerson | null;
  onChange(byline: Byline): void;
}

/** Edits the people of a post: their names in order, what each of them did, and their accounts. */
export function BylineField({
  byline,
  readOnly = false,
  goneAccounts = [],
  owner,
  onChange,
}: BylineFieldProps) {
  const texts = useDeskMessages().more;
  const list = useRef<HTMLOListElement>(null);
  /** Names that are typed and not in the document yet, because a name there must not be blank. */
  const [isAdding, setAdding] = useState(false);
  const people: readonly Contributor[] = isAdding ? [...byline, { name: '', role: 'author' }] : byline;

  const set = (place: number, person: Contributor) => {
    const next = people.with(place, person);
    setAdding(next.some(({ name }) => !name.trim()) && place === people.length - 1);
    onChange(next.filter(({ name }) => name.trim()));
  };
  const swap = (place: number, other: number) => {
    const [one, two] = [byline[place], byline[other]];
    if (one && two) onChange(byline.with(place, two).with(other, one));
  };
  const remove = (place: number) => {
    if (place >= byline.length) setAdding(false);
    onChange(byline.toSpliced(place, 1));
  };
  const add = () => {
    // The first person joins the owner of the post, whom readers have seen until now, and takes nobody's place.
    if (byline.length === 0 && owner?.name)
      onChange([{ name: owner.name, role: 'author', userId: owner.id }]);
    setAdding(true);
    setTimeout(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
  };
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{texts.byline}</legend>
      <p className="text-sm text-muted">{texts.bylineHint}</p>
      <ol ref={list} className="grid gap-4">
        {people.map((person, place) => (
          <PersonFields
            // biome-ignore lint/suspicious/noArrayIndexKey: people have no other identity, and keep no state
            key={place}
            person={person}
            place={place}
            last={byline.length - 1}
            readOnly={readOnly}
            hasAccount={person.userId !== undefined && !goneAccounts.includes(person.userId)}
            onChange={(changed) => set(place, changed)}
            onMove={(to) => swap(place, to)}
            onRemove={() => remove(place)}
          />
        ))}
      </ol>
      {!readOnly && !isAdding && byline.length < DOCUMENT_LIMITS.byline && (
        <Button variant="outline" size="small" className="justify-self-start" onClick={add}>
          <Plus aria-hidden="true" className="size-4" />
          {texts.add}
        </Button>
      )}
    </fieldset>
  );
}

interface PersonFieldsProps {
  person: Contributor;
  place: number;
  /** The place of the last person. */
  last: number;
  readOnly: boolean;
  hasAccount: boolean;
  onChange(person: Contributor): void;
  onMove(to: number): void;
  onRemove(): void;
}

function PersonFields(props: PersonFieldsProps) {
  const { person, place, last, readOnly, hasAccount, onChange, onMove, onRemove } = props;
  const texts = useDeskMessages().more;
  const { nameIsEmail } = useLanguage().m.post.comments;
  const noteId = useId();
  const fault = looksLikeEmail(person.name) ? nameIsEmail : undefined;
  const name = person.name.trim() || texts.unnamed;
  const accounts = useAccounts(hasAccount ? '' : person.name);
  const { userId: _, ...withoutAccount } = person;
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <input
          aria-label={texts.person(place + 1)}
          value={person.name}
          readOnly={readOnly}
          aria-invalid={
            fault !== undefined || countCharacters(person.name) > DOCUMENT_LIMITS.name || undefined
          }
          aria-describedby={noteId}
          onChange={({ target }) => onChange({ ...withoutAccount, name: target.value })}
          className={`${CONTROL_CLASS} min-h-11 min-w-40 flex-1`}
        />
        <select
          aria-label={texts.role(name)}
          value={person.role}
          disabled={readOnly}
          onChange={({ target }) => {
            const role = BYLINE_ROLES.find((one) => one === target.value);
            if (role) onChange({ ...person, role });
          }}
          className={`${CONTROL_CLASS} min-h-11 w-auto!`}
        >
          {BYLINE_ROLES.map((role) => (
            <option key={role} value={role}>
              {texts.roles[role]}
            </option>
          ))}
        </select>
        <div className="flex">
          <IconButton
            label={texts.up(name)}
            disabled={readOnly || place === 0 || place > last}
            onPress={() => onMove(place - 1)}
          >
            <ArrowUp aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton
            label={texts.down(name)}
            disabled={readOnly || place >= last}
            onPress={() => onMove(place + 1)}
          >
            <ArrowDown aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton label={texts.remove(name)} disabled={readOnly} onPress={onRemove}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      </div>
      <div id={noteId} className="empty:hidden">
        {fault && <p className="text-sm text-accent">{fault}</p>}
        <TextLimit id={`${noteId}-limit`} text={person.name} limit={DOCUMENT_LIMITS.name} />
      </div>
      {hasAccount && <p className="text-sm text-muted">{texts.account}</p>}
      {!readOnly && accounts.length > 0 && (
        <ul aria-label={texts.find} className="flex flex-wrap gap-2">
          {accounts.map(({ id, name: found }) => (
            <li key={id}>
              <Button
                variant="outline"
                size="small"
                onClick={() => onChange({ ...person, name: found ?? '', userId: id })}
              >
                {found}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface IconButtonProps {
  label: string;
  disabled: boolean;
  onPress(): void;
  children: ReactNode;
}

function IconButton({ label, disabled, onPress, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onPress}
      className="grid size-11 place-items-center rounded-xs hover:text-accent disabled:opacity-35"
    >
      {children}
    </button>
  );
}

/** Milliseconds after the last key before accounts are looked for. */
const PAUSE_MS = 300;

/** Returns the accounts that may be meant by what is typed. */
function useAccounts(typed: string): readonly DeskPerson[] {
  const desk = useDesk();
  const [found, setFound] = useState<readonly DeskPerson[]>([]);
  const name = typed.trim();
  useEffect(() => {
    if (name.length < 2) return setFound([]);
    let isCurrent = true;
    const timer = setTimeout(() => {
      desk.accounts(name).then(
        (accounts) => isCurrent && setFound(accounts),
        // The name counts without an account too.
        () => isCurrent && setFound([]),
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [desk, name]);
  return found;
}
