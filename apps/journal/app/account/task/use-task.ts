import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Messages } from '../../language/load-messages.ts';
import { useBusy } from '../../ui/use-busy.ts';
import { useAccountCalls } from '../account-session.ts';
import { describeError } from './describe-error.ts';

/** Returns a text in the language of the page, so that a text that is shown follows a change of the language. */
export type TaskText = (m: Messages) => string;

/** The text of an error, and the form field that it belongs to, if any. */
export interface TaskFailure<Field extends string = never> {
  text: TaskText;
  field?: Field;
}

export type TaskResult<Field extends string = never> =
  | { kind: 'done'; text: TaskText }
  | ({ kind: 'failed' } & TaskFailure<Field>);

export interface Task<Field extends string = never> {
  busy: boolean;
  result: TaskResult<Field> | undefined;
  /**
   * Runs `work` unless the task is already running, and sets the result to the text that it returns or to its error.
   * Returns whether it succeeded; never throws.
   */
  run(work: () => Promise<TaskText | undefined>): Promise<boolean>;
  /** Sets the result to an error that was found before the work. */
  fail(failure: TaskFailure<Field>): void;
}

/** Runs the API calls of a form or button. `explain` returns a text for errors that have a special one there. */
export function useTask<Field extends string = never>(
  explain?: (error: unknown) => TaskFailure<Field> | undefined,
): Task<Field> {
  const { track } = useAccountCalls();
  const [result, setResult] = useState<TaskResult<Field>>();
  const fail = (failure: TaskFailure<Field>) => setResult({ kind: 'failed', ...failure });
  const busy = useBusy<'work'>((error) => fail(explain?.(error) ?? { text: (m) => describeError(error, m) }));
  const run = async (work: () => Promise<TaskText | undefined>) => {
    const isDone = await busy.run('work', async () => {
      setResult(undefined);
      const text = await track(work);
      if (text !== undefined) setResult({ kind: 'done', text });
      return true;
    });
    return isDone === true;
  };
  return { busy: busy.busy !== undefined, result, run, fail };
}

/** Returns the error of a field, if it has one. */
export function fieldError<Field extends string>(
  { result }: Pick<Task<Field>, 'result'>,
  field: Field,
  m: Messages,
): string | undefined {
  return result?.kind === 'failed' && result.field === field ? result.text(m) : undefined;
}

/** Returns a ref for a form, and moves the focus to the field that an error belongs to. */
export function useFocusInvalidField(
  result: TaskResult<string> | undefined,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (result?.kind !== 'failed' || result.field === undefined) return;
    const field = form.current?.elements.namedItem(result.field);
    if (field instanceof HTMLElement) field.focus();
  }, [result]);
  return form;
}
