import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import { formatRange } from '../range/format-range.ts';
import type { CountName } from './build-tables.ts';
import type { DaySpan } from './group-days.ts';

/** A line of a chart. Lines differ in their dashes as well as in their colour. */
export interface Series {
  count: CountName;
  label: string;
  /** A colour as CSS, such as `var(--accent)`. */
  colour: string;
  /** The `stroke-dasharray` of SVG; undefined for a solid line. */
  dash?: string | undefined;
  /** Whether the area below the line is tinted. */
  filled?: boolean | undefined;
}

interface TimeChartProps {
  spans: readonly DaySpan[];
  series: readonly Series[];
  language: string;
}

/** The maximum number of points that are marked. More points are close enough to read the line without marks. */
const MAX_MARKED_POINTS = 14;
/** Pixels before the first day and after the last one, so that their labels are not cut off. */
const DAY_PADDING = { left: 18, right: 18 };
const TICK = { fill: 'var(--muted)', fontSize: 12 };

/** Draws counts over time as lines. */
export function TimeChart({ spans, series, language }: TimeChartProps) {
  const numbers = new Intl.NumberFormat(language);
  const points = spans.map(({ from, to, counts }) => ({ ...counts, from, to }));
  const marked = spans.length <= MAX_MARKED_POINTS;
  return (
    <ComposedChart
      responsive
      accessibilityLayer={false}
      data={points}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      style={{ width: '100%', height: '18rem' }}
    >
      <CartesianGrid vertical={false} stroke="var(--hairline)" />
      <XAxis
        dataKey="from"
        tickFormatter={(day: string) => formatRange({ from: day, to: day }, 'short', language)}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: 'var(--field)' }}
        interval="equidistantPreserveStart"
        minTickGap={28}
        tickMargin={8}
        padding={DAY_PADDING}
      />
      <YAxis
        width="auto"
        allowDecimals={false}
        tickFormatter={(count: number) => numbers.format(count)}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--field)' }}
        content={(props: TooltipContentProps) => (
          <PointDetails {...props} series={series} language={language} />
        )}
      />
      {series.map(({ count, label, colour, dash, filled }) => {
        const shared = {
          dataKey: count,
          name: label,
          type: 'linear',
          stroke: colour,
          strokeWidth: 2,
          ...(dash && { strokeDasharray: dash }),
          isAnimationActive: false,
          activeDot: { r: 4, fill: colour, stroke: 'var(--paper)' },
          dot: marked && {
            r: 2.5,
            fill: 'var(--paper)',
            stroke: colour,
            strokeWidth: 1.5,
            strokeDasharray: '',
          },
        } as const;
        return filled ? (
          <Area key={count} {...shared} fill={colour} fillOpacity={0.08} />
        ) : (
          <Line key={count} {...shared} />
        );
      })}
    </ComposedChart>
  );
}

/** Shows the counts of the point under the pointer. */
function PointDetails({
  active,
  payload,
  series,
  language,
}: TooltipContentProps & Pick<TimeChartProps, 'series' | 'language'>) {
  const span = payload?.[0]?.payload as
    | (Record<CountName, number> & { from: string; to: string })
    | undefined;
  if (!active || !span) return null;
  const numbers = new Intl.NumberFormat(language);
  return (
    <div className="grid gap-1.5 rounded-xs border border-hairline bg-raised px-3.5 py-2.5 text-sm shadow-lg">
      <p className="font-medium">{formatRange(span, 'medium', language)}</p>
      {series.map((line) => (
        <p key={line.count} className="flex items-center gap-2.5">
          <LineSample {...line} />
          <span className="text-muted">{line.label}</span>
          <span className="ml-auto pl-4 tabular-nums">{numbers.format(span[line.count] ?? 0)}</span>
        </p>
      ))}
    </div>
  );
}

/** Draws a short piece of a line for the legend. */
export function LineSample({ colour, dash }: Pick<Series, 'colour' | 'dash'>) {
  return (
    <svg aria-hidden="true" width="28" height="8" className="shrink-0">
      <line x1="0" y1="4" x2="28" y2="4" stroke={colour} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  );
}
