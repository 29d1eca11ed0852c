import type { FabricaClient } from '@fabrica/client';
import type { Term } from '../../../../desk/translations/glossary/find-terms.ts';
import { createSendDeskRequest, deskUrl, pathOf } from '../../desk-requests.ts';

/** One thing and what it is called: the first word of a language is the preferred one, the others are allowed. */
export type { Term } from '../../../../desk/translations/glossary/find-terms.ts';
export type TermChanges = Omit<Term, 'id'>;

/** The formats of the glossary and of the memory, as other translation tools read them. */
export const EXCHANGE = {
  tbx: { path: '/translations/terms.tbx', type: 'application/x-tbx+xml' },
  tmx: { path: '/translations/memory.tmx', type: 'application/x-tmx+xml' },
} as const;
export type ExchangeFormat = keyof typeof EXCHANGE;

export type TermsClient = ReturnType<typeof createTermsClient>;

/** Returns the calls about the glossary and the memory of a project. They throw the errors of the client. */
export function createTermsClient(client: Pick<FabricaClient, 'projectId' | 'request' | 'requestText'>) {
  const send = createSendDeskRequest(client);
  return {
    list: async () => (await send<{ terms: Term[] }>('GET', '/translations/terms')).terms,
    add: (json: TermChanges) => send<Term>('POST', '/translations/terms', { json }),
    change: (id: string, json: TermChanges) => send<Term>('PUT', pathOf`/translations/terms/${id}`, { json }),
    remove: (id: string) => send<void>('DELETE', pathOf`/translations/terms/${id}`),
    export: (format: ExchangeFormat) =>
      client.requestText({ method: 'GET', path: deskUrl(client, EXCHANGE[format].path) }),
    import: (format: ExchangeFormat, text: string) =>
      send<{ imported: number }>('POST', EXCHANGE[format].path, { text, type: EXCHANGE[format].type }),
  };
}
