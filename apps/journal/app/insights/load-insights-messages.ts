import type { insights } from '../../messages/en/insights.ts';
import type { Language } from '../language/languages.ts';

export type InsightsWords = typeof insights;

const importers: Record<Language, () => Promise<{ insights: InsightsWords }>> = {
  en: () => import('../../messages/en/insights.ts'),
  es: () => import('../../messages/es/insights.ts'),
  fr: () => import('../../messages/fr/insights.ts'),
  de: () => import('../../messages/de/insights.ts'),
};

/** Words never change while the page is open, and React wants the same promise each time that it asks. */
const asked = new Map<Language, Promise<InsightsWords>>();

/** What this screen says in a language: apart from the journal's other words, which come with every page. */
export function loadInsightsWords(language: Language): Promise<InsightsWords> {
  const known = asked.get(language);
  if (known) return known;
  const words = importers[language]().then((module) => module.insights);
  asked.set(language, words);
  return words;
}
