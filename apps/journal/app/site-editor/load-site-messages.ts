import type { site } from '../../messages/en/site.ts';
import type { Language } from '../language/languages.ts';

export type SiteMessages = typeof site;

const importers: Record<Language, () => Promise<{ site: SiteMessages }>> = {
  en: () => import('../../messages/en/site.ts'),
  es: () => import('../../messages/es/site.ts'),
  fr: () => import('../../messages/fr/site.ts'),
  de: () => import('../../messages/de/site.ts'),
};

/** The promises so far. React's `use` needs the same promise in every render. */
const requested = new Map<Language, Promise<SiteMessages>>();

/** Loads the texts of this screen, which only operators see. */
export function loadSiteMessages(language: Language): Promise<SiteMessages> {
  const earlier = requested.get(language);
  if (earlier) return earlier;
  const texts = importers[language]().then((module) => module.site);
  requested.set(language, texts);
  return texts;
}
