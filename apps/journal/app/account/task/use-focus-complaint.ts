import { type RefObject, useEffect, useRef } from 'react';
import type { Outcome } from './use-task.ts';

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
