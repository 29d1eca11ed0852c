import type { insights } from '../../messages/en/insights.ts';
import type { Language } from '../../project/languages.ts';
import { loadOnce } from '../ui/load-once.ts';

export type InsightsMessages = typeof insights;

/** Loads the texts of this screen. They are separate from the journal's other messages, which come with every page. */
export const loadInsightsMessages = loadOnce<Language, InsightsMessages>({
  en: async () => (await import('../../messages/en/insights.ts')).insights,
  es: async () => (await import('../../messages/es/insights.ts')).insights,
  fr: async () => (await import('../../messages/fr/insights.ts')).insights,
  de: async () => (await import('../../messages/de/insights.ts')).insights,
});
