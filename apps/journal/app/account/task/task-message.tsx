import { Check, CircleAlert } from 'lucide-react';
import { useLanguage } from '../../language/language-provider.tsx';
import type { TaskResult } from './use-task.ts';

/** Shows how a task ended. An error of a field is left to that field. */
export function TaskMessage({ result }: { result: TaskResult<string> | undefined }) {
  const { m } = useLanguage();
  const failure = result?.kind === 'failed' && result.field === undefined ? result.text(m) : undefined;
  return (
    <>
      <p role="status" className="flex items-start gap-1.5 text-[0.9375rem] text-success empty:sr-only">
        {result?.kind === 'done' && (
          <>
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{result.text(m)}</span>
          </>
        )}
      </p>
      {failure && (
        <p role="alert" className="flex items-start gap-1.5 text-[0.9375rem] text-accent">
          <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
          <span className="min-w-0">{failure}</span>
        </p>
      )}
    </>
  );
}
