import type { Insights } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Figures as FiguresData } from '../load-figures.ts';
import type { InsightsWords } from '../load-insights-messages.ts';
import { BarListChart, MOST_BARS } from './bar-list-chart.tsx';
import { buildListTable, buildTimeTable } from './build-tables.ts';
import { FigureFrame } from './chart-frame.tsx';
import { groupDays } from './group-days.ts';
import {
  type NamedValue,
  type Naming,
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

/** The lists as they stand beside each other where there is room. */
const COLUMNS: readonly (readonly ListName[])[] = [
  ['pages', 'referrers'],
  ['languages', 'channels'],
];

/** Every chart of a range. Fetched by itself: what draws them is as large as the rest of the journal. */
export function Figures({ figures, words }: { figures: FiguresData; words: InsightsWords }) {
  const { insights, titles } = figures;
  const naming: Naming = { ...useLanguage(), words };
  const heads = words.figures;
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
          <TimeFigure name={name} insights={insights} words={words} />
        </div>
      ))}
      {COLUMNS.map((names) => (
        <div key={names[0]} className="grid grid-cols-1 content-start gap-y-12">
          {names.map((name) => (
            <ListFigure key={name} name={name} list={lists[name]} insights={insights} words={words} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface FigureProps<Name> {
  name: Name;
  insights: Insights;
  words: InsightsWords;
}

function TimeFigure({ name, insights, words }: FigureProps<TimeName>) {
  const { language } = useLanguage();
  const { days } = insights;
  const spans = groupDays(days);
  const series = LINES[name].map((line) => ({ ...line, label: words.counts[line.count] }));
  const counts = series.map(({ count }) => count);
  return (
    <FigureFrame
      {...words.figures[name]}
      note={spans.length < days.length ? words.figures.byWeek : words.figures.byDay}
      range={insights}
      table={buildTimeTable({ days, spans }, counts, { words, language })}
      words={words.figures}
      legend={<Legend series={series} />}
    >
      <TimeChart spans={spans} series={series} language={language} />
    </FigureFrame>
  );
}

function ListFigure({
  name,
  list,
  insights,
  words,
}: FigureProps<ListName> & { list: Parameters<typeof buildListTable>[1] }) {
  const { language } = useLanguage();
  const table = buildListTable(insights[name], list, words);
  const { byViews, first } = words.figures;
  const all = table.rows.length;
  return (
    <FigureFrame
      {...words.figures[name]}
      note={all > MOST_BARS ? first(MOST_BARS, all) : byViews}
      range={insights}
      table={table}
      words={words.figures}
    >
      <BarListChart rows={table.rows} language={language} />
    </FigureFrame>
  );
}

/** Which line is which: for eyes, as the table's heads say it to all others. */
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
