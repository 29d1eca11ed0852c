import { Check, CircleAlert, CloudOff } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { SaveStatus } from '../saving/working-copy.ts';
import { describeUnsaved, useDeskMessages, useTimes } from '../use-desk.ts';

/** Says whether the server has everything that was written, and screen readers when that changes for the worse. */
export function SaveState({ status, onRetry }: { status: SaveStatus<unknown>; onRetry?: () => void }) {
  const messages = useDeskMessages();
  const texts = messages.saving;
  const times = useTimes();
  switch (status.name) {
    case 'saved':
      return (
        <p className="flex items-center gap-1.5 text-sm text-muted">
          <Check aria-hidden="true" className="size-4 text-success" />
          {status.at === null ? texts.savedAlready : texts.saved(times.clock(status.at))}
        </p>
      );
    case 'saving':
      return <p className="text-sm text-muted">{texts.saving}</p>;
    case 'unsaved':
      return <p className="text-sm text-muted">{texts.unsaved}</p>;
    case 'offline':
      return (
        <div className="flex flex-wrap items-center gap-x-1 text-sm">
          <p role="status" className="flex items-center gap-1.5">
            <CloudOff aria-hidden="true" className="size-4 shrink-0 text-accent" />
            {status.error ? texts.failed : texts.offline}
          </p>
          {onRetry && (
            <Button variant="quiet" size="small" onClick={onRetry}>
              {texts.retry}
            </Button>
          )}
        </div>
      );
    case 'stale':
      return <Alert words={texts.stale} />;
    case 'session-ended':
      return <Alert words={texts.sessionEnded} />;
    case 'refused':
      return <Alert words={describeUnsaved(status, messages)} />;
  }
}

function Alert({ words }: { words: string }) {
  return (
    <p role="alert" className="flex items-start gap-1.5 text-sm text-accent [overflow-wrap:anywhere]">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {words}
    </p>
  );
}
