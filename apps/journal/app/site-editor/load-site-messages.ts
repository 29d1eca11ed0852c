import type { site } from '../../messages/en/site.ts';
import type { Language } from '../../project/languages.ts';
import { loadOnce } from '../ui/load-once.ts';

export type SiteMessages = typeof site;

/** Loads the texts of this screen, which only operators see. */
export const loadSiteMessages = loadOnce<Language, SiteMessages>({
  en: async () => (await import('../../messages/en/site.ts')).site,
  es: async () => (await import('../../messages/es/site.ts')).site,
  fr: async () => (await import('../../messages/fr/site.ts')).site,
  de: async () => (await import('../../messages/de/site.ts')).site,
});
