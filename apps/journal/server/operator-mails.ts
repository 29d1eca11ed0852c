import type { Config, RenderMail } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import { loadSite } from '../app/site/site.ts';
import { DEFAULT_LANGUAGE, isLanguage } from '../project/languages.ts';
import { loadMails } from './frontend.ts';

/** Creates what writes the mails of the command line, from the built pages. `fetchRows` reads rows of the journal. */
export function createOperatorMails(
  { projectId, publicUrl }: Pick<Config, 'projectId' | 'publicUrl'>,
  fetchRows: (path: string, init?: RequestInit) => Promise<Response>,
): RenderMail {
  const client = createClient({
    projectId,
    origin: publicUrl,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      return fetchRows(pathname.slice(`/api/db/${projectId}`.length) + search, init);
    },
  });
  return async (mail) => {
    const { renderMail } = await loadMails();
    return renderMail(
      mail,
      await loadSite(client, isLanguage(mail.language) ? mail.language : DEFAULT_LANGUAGE),
    );
  };
}
