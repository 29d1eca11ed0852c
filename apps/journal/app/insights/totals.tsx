import { useLanguage } from '../language/language-provider.tsx';
import type { CountName } from './charts/build-tables.ts';
import type { Figures } from './load-figures.ts';
import type { InsightsWords } from './load-insights-messages.ts';
import { countDays, rangeBefore } from './range/day-range.ts';
import { formatRange } from './range/format-range.ts';

const COUNTS: readonly CountName[] = ['views', 'readers', 'completedReads', 'likes', 'comments'];

/** What was counted in all, each number with its change against the period before. */
export function Totals({ figures: { insights, before }, words }: { figures: Figures; words: InsightsWords }) {
  const { language } = useLanguage();
  const numbers = new Intl.NumberFormat(language);
  const change = (name: CountName) =>
    describeChange({ now: insights.totals[name] ?? 0, before: before[name] ?? 0 }, words.change, language);
  const earlier = formatRange(rangeBefore(insights), 'long', language);
  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-2 gap-x-8 gap-y-8 sm:grid-cols-3 lg:grid-cols-5">
        {COUNTS.map((name) => (
          <div key={name} className="grid content-start gap-1.5">
            <dt className="text-sm font-medium text-muted">{words.counts[name]}</dt>
            <dd className="font-serif text-[2.5rem] leading-none tracking-[-0.02em] lining-nums">
              {numbers.format(insights.totals[name] ?? 0)}
            </dd>
            <dd className="text-sm text-pretty text-muted">{change(name)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-pretty text-muted">
        {words.change.against(countDays(insights), earlier)} {words.utc} {words.readersByDay}
      </p>
    </div>
  );
}

/** How a number changed against the period before, in words: told by no colour and by no arrow. */
function describeChange(
  { now, before }: { now: number; before: number },
  words: InsightsWords['change'],
  language: string,
): string {
  if (now === before) return words.same;
  if (before === 0) return words.none;
  const part = Math.abs(now - before) / before;
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: part < 0.1 ? 1 : 0,
  }).format(part);
  const was = new Intl.NumberFormat(language).format(before);
  return now > before ? words.more(percent, was) : words.fewer(percent, was);
}
