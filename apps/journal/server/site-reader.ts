import type { Backend, Config } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import { DEFAULT_SITE, loadSite, type Site } from '../app/site/site.ts';
import { isLanguage, type Language } from '../project/languages.ts';
import { isUnavailable } from './try-again.ts';

/** The tables that a site is read from. */
export const SITE_TABLES = ['site_settings', 'site_texts'];

/** Returns the site in a language, as it was last committed; in the default language for one that there is no such. */
export type ReadSite = (language?: string) => Promise<Site>;

interface SiteReaderOptions {
  backend: Pick<Backend, 'bus' | 'fetch' | 'projects'>;
  config: Pick<Config, 'projectId' | 'publicUrl'>;
}

/** Creates the function that reads the site. While it cannot be read, it is as it was last. */
export function createSiteReader({ backend, config }: SiteReaderOptions): ReadSite {
  const { projectId, publicUrl } = config;
  const client = createClient({
    projectId,
    origin: publicUrl,
    fetch: (input, init) => backend.fetch(new Request(input, init)),
  });
  const foreignCommits = () => backend.projects.get(projectId)?.database.foreignCommits() ?? 0;
  const sites = new Map<Language, Promise<Site>>();
  const last = new Map<Language, Site>();
  let commits = foreignCommits();
  backend.bus.subscribe((event) => {
    if (event.projectId === projectId && SITE_TABLES.includes(event.table)) sites.clear();
  });

  return (wanted) => {
    const now = foreignCommits();
    if (now !== commits) sites.clear();
    commits = now;
    const language = isLanguage(wanted) ? wanted : (DEFAULT_SITE.languages[0] ?? 'en');
    const known = sites.get(language);
    if (known) return known;
    const loading = loadSite(client, language);
    sites.set(language, loading);
    loading.then(
      (site) => last.set(language, site),
      () => sites.get(language) === loading && sites.delete(language),
    );
    return loading.catch((error: unknown) => {
      const former = last.get(language);
      if (!former || !isUnavailable(error)) throw error;
      return former;
    });
  };
}
