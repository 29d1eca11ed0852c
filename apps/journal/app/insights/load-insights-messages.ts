import type { insights } from '../../messages/en/insights.ts';
import type { Language } from '../language/languages.ts';

export type InsightsMessages = typeof insights;

const importers: Record<Language, () => Promise<{ insights: InsightsMessages }>> = {
  en: () => import('../../messages/en/insights.ts'),
  es: () => import('../../messages/es/insights.ts'),
  fr: () => import('../../messages/fr/insights.ts'),
  de: () => import('../../messages/de/insights.ts'),
};

/** The promises so far. React's `use` needs the same promise in every render. */
const requested = new Map<Language, Promise<InsightsMessages>>();

/** Loads the texts of this screen. They are separate from the journal's other messages, which come with every page. */
export function loadInsightsMessages(language: Language): Promise<InsightsMessages> {
  const earlier = requested.get(language);
  if (earlier) return earlier;
  const texts = importers[language]().then((module) => module.insights);
  requested.set(language, texts);
  return texts;
}
