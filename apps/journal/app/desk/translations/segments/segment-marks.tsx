import type { SegmentState, TranslatedSegment } from '../../../../project/translations.ts';
import { useDeskMessages } from '../../use-desk.ts';

const LOOKS: Record<SegmentState | 'blocked', string> = {
  missing: 'border border-dashed border-current text-muted',
  machine: 'border border-current text-ink',
  edited: 'border border-current bg-current/30 text-ink',
  reviewed: 'bg-success text-success',
  outdated: 'border-2 border-current text-accent',
  blocked: 'bg-accent text-accent',
};

/** Shows a state by a dot; its name stands beside it. */
export function StateDot({ state }: { state: SegmentState | 'blocked' }) {
  return (
    <span aria-hidden="true" className={`inline-block size-2.5 shrink-0 rounded-full ${LOOKS[state]}`} />
  );
}

/** Names the state of a segment, and that it is blocked. */
export function SegmentStateMark({ segment: { state, blocked } }: { segment: TranslatedSegment }) {
  const { states } = useDeskMessages().translations;
  return (
    <>
      <span className="inline-flex items-center gap-2 font-medium">
        <StateDot state={state} />
        {states[state]}
      </span>
      {blocked && (
        <span className="inline-flex items-center gap-2 font-medium text-accent">
          <StateDot state="blocked" />
          {states.blocked}
        </span>
      )}
    </>
  );
}

/** Says who or what wrote a translation. */
export function WriterName({ writer: { kind, name } }: { writer: NonNullable<TranslatedSegment['writer']> }) {
  const { writers } = useDeskMessages().translations;
  return <span className="text-muted [overflow-wrap:anywhere]">{writers[kind](name)}</span>;
}
