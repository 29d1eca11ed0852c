import { useDeskMessages } from '../../use-desk.ts';
import { SEGMENT_FILTERS, type SegmentFilter } from '../segment-states.ts';
import { StateDot } from '../segments/segment-marks.tsx';

interface SegmentFiltersProps {
  id: string;
  total: number;
  counts: Record<SegmentFilter, number>;
  filter: SegmentFilter | undefined;
  onChoose(filter: SegmentFilter | undefined): void;
}

/** Says how many segments are in each state, and shows those of one of them alone. */
export function SegmentFilters({ id, total, counts, filter, onChoose }: SegmentFiltersProps) {
  const texts = useDeskMessages().translations;
  // The states that no segment is in say nothing.
  const shown = SEGMENT_FILTERS.filter((one) => counts[one] > 0 || one === filter);
  return (
    <fieldset id={id} className="flex flex-wrap gap-x-1.5 gap-y-1.5 border-b border-hairline py-4">
      <legend className="sr-only">{texts.filter.label}</legend>
      {[undefined, ...shown].map((one) => (
        <button
          key={one ?? 'all'}
          type="button"
          aria-pressed={filter === one}
          onClick={() => onChoose(one)}
          className="inline-flex min-h-(--target) items-center gap-2 rounded-xs border border-hairline px-3 text-sm transition-colors hover:border-ink aria-pressed:border-ink aria-pressed:font-medium"
        >
          {one && one !== 'person' && <StateDot state={one} />}
          {one === undefined ? texts.filter.all : one === 'person' ? texts.filter.person : texts.states[one]}
          <span className="text-muted tabular-nums">{one === undefined ? total : counts[one]}</span>
        </button>
      ))}
    </fieldset>
  );
}
