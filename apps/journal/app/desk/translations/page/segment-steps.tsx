import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { SegmentStep } from '../segments/use-segment-commands.ts';

interface SegmentStepsProps {
  /** Counted from 1. */
  place: number;
  count: number;
  /** The number of segments that wait for a person. */
  waiting: number;
  onMove(to: SegmentStep): void;
}

/** Says which segment is open, and leads to the others without a keyboard. */
export function SegmentSteps({ place, count, waiting, onMove }: SegmentStepsProps) {
  const texts = useDeskMessages().translations.steps;
  return (
    <nav
      aria-label={texts.label}
      className="sticky bottom-0 z-20 -mx-4 flex items-center justify-between gap-2 border-t border-hairline bg-paper px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:mx-0 sm:px-0"
    >
      <p className="text-sm whitespace-nowrap text-muted tabular-nums">{texts.place(place, count)}</p>
      <div className="flex gap-1">
        <Button variant="quiet" size="small" onClick={() => onMove('previous')}>
          <ArrowUp aria-hidden="true" className="size-4 sm:hidden" />
          <span className="max-sm:sr-only">{texts.previous}</span>
        </Button>
        <Button variant="quiet" size="small" onClick={() => onMove('next')}>
          <ArrowDown aria-hidden="true" className="size-4 sm:hidden" />
          <span className="max-sm:sr-only">{texts.next}</span>
        </Button>
        <Button variant="outline" size="small" disabled={waiting === 0} onClick={() => onMove('person')}>
          {texts.person}
        </Button>
      </div>
    </nav>
  );
}
