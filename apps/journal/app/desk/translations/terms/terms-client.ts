import type { FabricaClient } from '@fabrica/client';
import type { Language } from '../../../../project/languages.ts';

/** One thing and what it is called: the first word of a language is the preferred one, the others are allowed. */
export interface Term {
  id: string;
  words: Partial<Record<Language, readonly string[]>>;
  /** Whether it stays as it is in every language, such as the name of a drug. */
  keep: boolean;
  note: string;
}

export type TermChanges = Omit<Term, 'id'>;

/** The formats of the glossary and of the memory, as other translation tools read them. */
export const EXCHANGE = {
  tbx: { path: 'terms.tbx', type: 'application/x-tbx+xml' },
  tmx: { path: 'memory.tmx', type: 'application/x-tmx+xml' },
} as const;
export type ExchangeFormat = keyof typeof EXCHANGE;

/** The calls about the glossary and the memory of a project. They throw the errors of the client. */
export interface TermsClient {
  list(): Promise<Term[]>;
  add(term: TermChanges): Promise<Term>;
  change(id: string, term: TermChanges): Promise<Term>;
  remove(id: string): Promise<void>;
  export(format: ExchangeFormat): Promise<string>;
  import(format: ExchangeFormat, file: string): Promise<{ imported: number }>;
}

export function createTermsClient(
  client: Pick<FabricaClient, 'projectId' | 'request' | 'requestText'>,
): TermsClient {
  const base = `/api/desk/${encodeURIComponent(client.projectId)}/translations`;
  const terms = `${base}/terms`;
  const pathOf = (id: string) => `${terms}/${encodeURIComponent(id)}`;
  return {
    list: async () => ((await client.request({ method: 'GET', path: terms })) as { terms: Term[] }).terms,
    add: async (term) => (await client.request({ method: 'POST', path: terms, json: term })) as Term,
    change: async (id, term) =>
      (await client.request({ method: 'PUT', path: pathOf(id), json: term })) as Term,
    remove: async (id) => void (await client.request({ method: 'DELETE', path: pathOf(id) })),
    export: (format) => client.requestText({ method: 'GET', path: `${base}/${EXCHANGE[format].path}` }),
    import: async (format, text) =>
      (await client.request({
        method: 'POST',
        path: `${base}/${EXCHANGE[format].path}`,
        text,
        headers: { 'content-type': EXCHANGE[format].type },
      })) as { imported: number },
  };
}
