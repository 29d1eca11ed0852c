import { Bar, BarChart, LabelList, type LabelProps, useChartWidth, XAxis, YAxis } from 'recharts';
import { shorten } from '../../../project/shorten.ts';
import type { TableRow } from './build-tables.ts';

/** The maximum number of rows in a chart. The table shows all of them. */
export const MAX_BARS = 10;
/** Pixels from one bar to the next, with room for its name above it. */
const ROW_HEIGHT = 46;
const BAR_HEIGHT = 6;
/** Average width of a letter at 14 px, in pixels. */
const LETTER_WIDTH = 7.2;

/** Draws the views of the first rows of a list as bars, each with its name and number above it. */
export function BarListChart({ rows, language }: { rows: readonly TableRow[]; language: string }) {
  const bars = rows.slice(0, MAX_BARS).map(({ key, name, counts }) => ({ key, name, views: counts[0] ?? 0 }));
  const numbers = new Intl.NumberFormat(language);
  return (
    <BarChart
      responsive
      accessibilityLayer={false}
      layout="vertical"
      data={bars}
      margin={{ top: 6, right: 0, bottom: 0, left: 0 }}
      style={{ width: '100%', height: bars.length * ROW_HEIGHT + 6 }}
    >
      <XAxis type="number" domain={[0, 'dataMax']} hide />
      <YAxis type="category" dataKey="key" hide />
      <Bar
        dataKey="views"
        barSize={BAR_HEIGHT}
        fill="var(--accent)"
        background={{ fill: 'var(--hairline)' }}
        isAnimationActive={false}
      >
        <LabelList
          content={({ y, index }: LabelProps) => {
            const bar = bars[index ?? -1];
            return bar ? <BarLabel y={Number(y)} name={bar.name} views={numbers.format(bar.views)} /> : '';
          }}
        />
      </Bar>
    </BarChart>
  );
}

function BarLabel({ y, name, views }: { y: number; name: string; views: string }) {
  const width = useChartWidth() ?? 0;
  const room = Math.floor(width / LETTER_WIDTH) - views.length - 3;
  const shown = shorten(name, room);
  return (
    <g fontSize="14">
      <text x="0" y={y - 9} fill="var(--ink)">
        {shown}
      </text>
      <text x={width} y={y - 9} fill="var(--muted)" textAnchor="end" className="tabular-nums">
        {views}
      </text>
    </g>
  );
}
