import type { InsightsWords } from './load-insights-words.ts';

/** How a number changed against the period before, in words: told by no colour and by no arrow. */
export function describeChange(
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
