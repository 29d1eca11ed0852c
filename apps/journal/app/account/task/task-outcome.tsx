import { Check, CircleAlert } from 'lucide-react';
import type { Outcome } from './use-task.ts';

/** How a task ended, where it was begun; what stands beside a field is left to that field. */
export function TaskOutcome({ outcome }: { outcome: Outcome<string> | undefined }) {
  const failure = outcome?.kind === 'failed' && outcome.field === undefined ? outcome.text : undefined;
  return (
    <>
      <p role="status" className="flex items-start gap-1.5 text-[0.9375rem] text-success empty:sr-only">
        {outcome?.kind === 'done' && (
          <>
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{outcome.text}</span>
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
