import type { Insights } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import type { InsightsData } from '../load-insights-data.ts';
import type { InsightsMessages } from '../load-insights-messages.ts';
import { BarListChart, MAX_BARS } from './bar-list-chart.tsx';
import { buildListTable, buildTimeTable } from './build-tables.ts';
import { ChartFrame } from './chart-frame.tsx';
import { groupDays } from './group-days.ts';
import {
  type NamedValue,
  type NamingContext,
  nameChannel,
  nameLanguage,
  namePage,
  nameReferrer,
} from './name-values.ts';
import { LineSample, type Series, TimeChart } from './time-chart.tsx';

type ListName = 'pages' | 'languages' | 'channels' | 'referrers';
type TimeName = 'reading' | 'response';

const LINES: Record<TimeName, Omit<Series, 'label'>[]> = {
  reading: [
    { count: 'views', colour: 'var(--accent)', filled: true },
    { count: 'readers', colour: 'var(--ink)', dash: '6 4' },
  ],
  response: [
    { count: 'likes', colour: 'var(--accent)' },
    { count: 'comments', colour: 'var(--ink)', dash: '6 4' },
    { count: 'completedReads', colour: 'var(--muted)', dash: '2 3' },
  ],
};

/** The lists of each column on wide screens. */
const COLUMNS: readonly (readonly ListName[])[] = [
  ['pages', 'referrers'],
  ['languages', 'channels'],
];

/** Shows all charts of a range. It is loaded lazily, because the chart library is as large as the rest of the journal. */
export function Charts({ data, texts }: { data: InsightsData; texts: InsightsMessages }) {
  const { insights, titles } = data;
  const naming: NamingContext = { ...useLanguage(), texts };
  const heads = texts.figures;
  const lists: Record<ListName, { name: (value: string) => NamedValue; head: string; raw?: string }> = {
    pages: { name: (path) => namePage(path, titles, naming), head: heads.page, raw: heads.path },
    languages: { name: (tag) => nameLanguage(tag, naming), head: heads.language },
    channels: { name: (channel) => nameChannel(channel, naming), head: heads.channel },
    referrers: { name: (referrer) => nameReferrer(referrer, naming), head: heads.referrer },
  };
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-12 lg:grid-cols-2">
      {(['reading', 'response'] as const).map((name) => (
        <div key={name} className="lg:col-span-2">
          <TimeChartFigure name={name} insights={insights} texts={texts} />
        </div>
      ))}
      {COLUMNS.map((names) => (
        <div key={names[0]} className="grid grid-cols-1 content-start gap-y-12">
          {names.map((name) => (
            <ListChartFigure key={name} name={name} list={lists[name]} insights={insights} texts={texts} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface ChartProps<Name> {
  name: Name;
  insights: Insights;
  texts: InsightsMessages;
}

function TimeChartFigure({ name, insights, texts }: ChartProps<TimeName>) {
  const { language } = useLanguage();
  const { days } = insights;
  const spans = groupDays(days);
  const series = LINES[name].map((line) => ({ ...line, label: texts.counts[line.count] }));
  const counts = series.map(({ count }) => count);
  return (
    <ChartFrame
      {...texts.figures[name]}
      note={spans.length < days.length ? texts.figures.byWeek : texts.figures.byDay}
      range={insights}
      table={buildTimeTable({ days, spans }, counts, { texts, language })}
      texts={texts.figures}
      legend={<Legend series={series} />}
    >
      <TimeChart spans={spans} series={series} language={language} />
    </ChartFrame>
  );
}

function ListChartFigure({
  name,
  list,
  insights,
  texts,
}: ChartProps<ListName> & { list: Parameters<typeof buildListTable>[1] }) {
  const { language } = useLanguage();
  const table = buildListTable(insights[name], list, texts);
  const { byViews, first } = texts.figures;
  const all = table.rows.length;
  return (
    <ChartFrame
      {...texts.figures[name]}
      note={all > MAX_BARS ? first(MAX_BARS, all) : byViews}
      range={insights}
      table={table}
      texts={texts.figures}
    >
      <BarListChart rows={table.rows} language={language} />
    </ChartFrame>
  );
}

/** Explains the lines of a chart. It is hidden from screen readers, which have the titles of the table's columns. */
function Legend({ series }: { series: readonly Series[] }) {
  return (
    <div aria-hidden="true" className="flex flex-wrap gap-x-6 gap-y-1.5 text-sm text-muted">
      {series.map((line) => (
        <span key={line.count} className="flex items-center gap-2.5">
          <LineSample {...line} />
          {line.label}
        </span>
      ))}
    </div>
  );
}
