import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { useAccountCalls } from '../account-session.ts';
import { explainFailure } from './describe-error.ts';

/** What is wrong, in words, and which field it stands beside; none for what belongs to the whole. */
export interface Complaint<Field extends string = never> {
  text: string;
  field?: Field;
}

export type Outcome<Field extends string = never> =
  | { kind: 'done'; text: string }
  | ({ kind: 'failed' } & Complaint<Field>);

export interface Task<Field extends string = never> {
  busy: boolean;
  outcome: Outcome<Field> | undefined;
  /**
   * Does `work`, unless something is under way already, and tells its end: the text that it answers, or why it
   * failed. Answers whether it was done; never throws.
   */
  run(work: () => Promise<string | undefined>): Promise<boolean>;
  /** Says what is wrong before anything is done. */
  complain(complaint: Complaint<Field>): void;
}

/** One thing that a section does at the server; `explain` knows failures that have words of their own there. */
export function useTask<Field extends string = never>(
  explain?: (error: unknown) => Complaint<Field> | undefined,
): Task<Field> {
  const { m } = useLanguage();
  const { track } = useAccountCalls();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome<Field>>();
  const running = useRef(false);

  const complain = (complaint: Complaint<Field>) => setOutcome({ kind: 'failed', ...complaint });
  const run = async (work: () => Promise<string | undefined>) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setOutcome(undefined);
    try {
      const text = await track(work);
      if (text !== undefined) setOutcome({ kind: 'done', text });
      return true;
    } catch (error) {
      complain(explain?.(error) ?? { text: explainFailure(error, m) });
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, outcome, run, complain };
}

/** The complaint that stands beside a field. */
export function complaintAt<Field extends string>(task: Task<Field>, field: Field): string | undefined {
  const { outcome } = task;
  return outcome?.kind === 'failed' && outcome.field === field ? outcome.text : undefined;
}

/** For a form: the focus goes to the field that a complaint stands beside. */
export function useFocusComplaint(outcome: Outcome<string> | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome?.kind !== 'failed' || outcome.field === undefined) return;
    const field = form.current?.elements.namedItem(outcome.field);
    if (field instanceof HTMLElement) field.focus();
  }, [outcome]);
  return form;
}
