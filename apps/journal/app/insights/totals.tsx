import { useLanguage } from '../language/language-provider.tsx';
import type { CountName } from './charts/build-tables.ts';
import type { InsightsData } from './load-insights-data.ts';
import type { InsightsMessages } from './load-insights-messages.ts';
import { countDays, rangeBefore } from './range/day-range.ts';
import { formatRange } from './range/format-range.ts';

const COUNTS: readonly CountName[] = ['views', 'readers', 'completedReads', 'likes', 'comments'];

/** Shows the totals of a range, each with its change since the range before. */
export function Totals({ data, texts }: { data: InsightsData; texts: InsightsMessages }) {
  const { insights, before } = data;
  const { language } = useLanguage();
  const numbers = new Intl.NumberFormat(language);
  const change = (name: CountName) =>
    describeChange({ now: insights.totals[name] ?? 0, before: before[name] ?? 0 }, texts.change, language);
  const earlier = formatRange(rangeBefore(insights), 'long', language);
  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-2 gap-x-8 gap-y-8 sm:grid-cols-3 lg:grid-cols-5">
        {COUNTS.map((name) => (
          <div key={name} className="grid content-start gap-1.5">
            <dt className="text-sm font-medium text-muted">{texts.counts[name]}</dt>
            <dd className="font-serif text-[2.5rem] leading-none tracking-[-0.02em] lining-nums">
              {numbers.format(insights.totals[name] ?? 0)}
            </dd>
            <dd className="text-sm text-pretty text-muted">{change(name)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-pretty text-muted">
        {texts.change.against(countDays(insights), earlier)} {texts.utc} {texts.readersByDay}
      </p>
    </div>
  );
}

/** Describes in words how a number changed since the range before. The page uses no colours or arrows for it. */
function describeChange(
  { now, before }: { now: number; before: number },
  texts: InsightsMessages['change'],
  language: string,
): string {
  if (now === before) return texts.same;
  if (before === 0) return texts.none;
  const part = Math.abs(now - before) / before;
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: part < 0.1 ? 1 : 0,
  }).format(part);
  const was = new Intl.NumberFormat(language).format(before);
  return now > before ? texts.more(percent, was) : texts.fewer(percent, was);
}
