import type { FabricaClient } from '@fabrica/client';
import { useRouteLoaderData } from 'react-router';
import type { SiteSettings, SiteTexts } from '../../project/entities.ts';
import { isLanguage, LANGUAGE_CODES, type Language } from '../../project/languages.ts';

/** The name of a site whose operator has set none. */
export const DEFAULT_NAME = 'Fabrica';

/** The pages that exist once the operator has written them. */
const LEGAL_PAGES = ['imprint', 'privacy'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

export interface SiteImage {
  /** The path of the file in the storage. */
  url: string;
  width: number | null;
  height: number | null;
}

/** Holds what every page shows of the site, in one language. */
export interface Site {
  name: string;
  /** Null where the operator has written none. */
  tagline: string | null;
  /** The languages that are offered, the default one first. */
  languages: readonly Language[];
  accentLight: string | null;
  accentDark: string | null;
  logo: SiteImage | null;
  /** The pages that the operator has written. */
  legalPages: readonly LegalPage[];
}

/** The site as it is before its operator sets anything. */
export const DEFAULT_SITE: Site = {
  name: DEFAULT_NAME,
  tagline: null,
  languages: LANGUAGE_CODES,
  accentLight: null,
  accentDark: null,
  logo: null,
  legalPages: [],
};

type Database = Pick<FabricaClient, 'db'>;

/** Loads what every page shows of the site. */
export async function loadSite(client: Database, language: Language): Promise<Site> {
  const [settings, texts] = await Promise.all([
    loadSettings(client),
    client.db
      .table<SiteTexts>('siteTexts')
      .list({ select: ['id', 'tagline', ...LEGAL_PAGES], orderBy: { id: 'asc' } }),
  ]);
  const languages = parseLanguages(settings?.languages);
  return {
    name: settings?.name ?? DEFAULT_NAME,
    tagline: texts.find(({ id }) => id === language)?.tagline ?? null,
    languages,
    accentLight: settings?.accentLight ?? null,
    accentDark: settings?.accentDark ?? null,
    logo: imageOf(settings?.logoUrl, settings?.logoWidth, settings?.logoHeight),
    legalPages: LEGAL_PAGES.filter((page) => texts.some((row) => row[page] !== null)),
  };
}

export function loadSettings({ db }: Database): Promise<SiteSettings | null> {
  return db.table<SiteSettings>('siteSettings').get('site');
}

/**
 * Returns the operator's texts by language, those that a reader of `language` wants first: that language, then the site's
 * default one, then the others.
 */
export async function loadTexts(
  { db }: Database,
  language: Language,
  { languages }: Pick<Site, 'languages'>,
): Promise<SiteTexts[]> {
  const rows = await db.table<SiteTexts>('siteTexts').list({ orderBy: { id: 'asc' } });
  const wanted = [...new Set([language, ...languages, ...LANGUAGE_CODES])];
  return wanted.flatMap((code) => rows.find(({ id }) => id === code) ?? []);
}

/**
 * Returns the languages that a page of the operator's exists in, the one that all others are shown instead of a missing one
 * first. A text in a language that the site does not offer is what all readers see: it stands under the default one.
 */
export function writtenLanguages(
  rows: readonly SiteTexts[],
  { languages }: Pick<Site, 'languages'>,
  isWritten: (row: SiteTexts) => boolean,
): readonly Language[] {
  const written = rows.filter(isWritten).map(({ id }) => id);
  const offered = languages.filter((code) => written.includes(code));
  return offered.length > 0 ? offered : languages.slice(0, 1);
}

export function imageOf(
  url: string | null | undefined,
  width: number | null | undefined,
  height: number | null | undefined,
): SiteImage | null {
  return url ? { url, width: width ?? null, height: height ?? null } : null;
}

/** Returns the languages of a list such as `de,en`; all of them when the operator has chosen none. */
export function parseLanguages(list: string | null | undefined): readonly Language[] {
  const chosen = (list ?? '').split(',').filter(isLanguage);
  return chosen.length > 0 ? chosen : LANGUAGE_CODES;
}

/** Returns the site as its operator has set it; the default one on a page whose data could not be loaded. */
export function useSite(): Site {
  return useRouteLoaderData<{ site: Site }>('root')?.site ?? DEFAULT_SITE;
}

/** Returns whether this site sends mails, so that a page may promise one. */
export function useSendsMail(): boolean {
  return useRouteLoaderData<{ sendsMail: boolean }>('root')?.sendsMail ?? false;
}

/** Returns whether this site has a model of texts, so that a page may promise translations and proposals. */
export function useHasModel(): boolean {
  return useRouteLoaderData<{ hasModel: boolean }>('root')?.hasModel ?? false;
}
