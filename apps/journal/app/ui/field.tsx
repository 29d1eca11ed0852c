import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { countCharacters, TextLimit } from './text-limit.tsx';

export interface FieldProps {
  label: string;
  /** The text of an error in the value; screen readers read it with the field. */
  error?: string | undefined;
  /** The text that says what may be entered; an error replaces it. */
  hint?: string | undefined;
  /** The most characters that can be sent; a counter appears near it. */
  limit?: number | undefined;
}

export const CONTROL_CLASS =
  'w-full rounded-xs border border-field bg-raised px-3.5 py-2.5 text-base text-ink placeholder:text-muted aria-invalid:border-accent disabled:opacity-60';

/** These attributes tie a control to its label, hint and error. */
interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** Shows a label above a control, and its hint or error below. */
export function Field({
  label,
  error,
  hint,
  limit,
  text = '',
  id: givenId,
  children,
}: FieldProps & {
  id?: string | undefined;
  /** The text that is typed, for the counter. */
  text?: string;
  children: (ids: ControlIds) => ReactNode;
}) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const noteId = `${id}-note`;
  const limitId = `${id}-limit`;
  const isOver = limit !== undefined && text.length > limit && countCharacters(text) > limit;
  const described = [(error || hint) && noteId, limit !== undefined && limitId].filter(Boolean);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.join(' ') || undefined,
        'aria-invalid': error || isOver ? true : undefined,
      })}
      <FieldNote id={noteId} error={error} hint={hint} />
      {limit !== undefined && <TextLimit id={limitId} text={text} limit={limit} />}
    </div>
  );
}

interface FieldNoteProps extends Pick<FieldProps, 'error' | 'hint'> {
  id: string;
  /** Whether screen readers read an error at once, and not only with the field. */
  isAlert?: boolean;
}

/** Shows the error of a field, or else its hint. */
export function FieldNote({ id, error, hint, isAlert = false }: FieldNoteProps) {
  if (error) {
    return (
      <p
        id={id}
        role={isAlert ? 'alert' : undefined}
        className="flex items-start gap-1.5 text-sm text-accent"
      >
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {error}
      </p>
    );
  }
  if (!hint) return null;
  return (
    <p id={id} className="text-sm text-muted">
      {hint}
    </p>
  );
}
