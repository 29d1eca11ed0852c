import type { Backend, Config } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import { isLanguage, type Language } from '../app/language/languages.ts';
import { DEFAULT_SITE, loadSite, type Site } from '../app/site/site.ts';

/** The tables that a site is read from. */
const TABLES = ['site_settings', 'site_texts'];

/** Returns the site in a language, as it was last committed; in the default language for one that there is no such. */
export type ReadSite = (language?: string) => Promise<Site>;

export interface SiteReaderOptions {
  backend: Pick<Backend, 'bus' | 'fetch' | 'projects'>;
  config: Pick<Config, 'projectId' | 'publicUrl'>;
}

/** Creates the function that reads the site for what is not a page: the choice of a language, and mails. */
export function createSiteReader({ backend, config }: SiteReaderOptions): ReadSite {
  const { projectId, publicUrl } = config;
  const client = createClient({
    projectId,
    origin: publicUrl,
    fetch: (input, init) => backend.fetch(new Request(input, init)),
  });
  const foreignCommits = () => backend.projects.get(projectId)?.database.foreignCommits() ?? 0;
  const sites = new Map<Language, Promise<Site>>();
  let commits = foreignCommits();
  backend.bus.subscribe((event) => {
    if (event.projectId === projectId && TABLES.includes(event.table)) sites.clear();
  });

  return (wanted) => {
    const now = foreignCommits();
    if (now !== commits) sites.clear();
    commits = now;
    const language = isLanguage(wanted) ? wanted : (DEFAULT_SITE.languages[0] ?? 'en');
    const known = sites.get(language);
    if (known) return known;
    const site = loadSite(client, language);
    sites.set(language, site);
    site.catch(() => sites.get(language) === site && sites.delete(language));
    return site;
  };
}
