import type { FabricaClient } from '@fabrica/client';
import type { Source } from '../../../references/source.ts';

/** Looks a DOI or PubMed id up on the server. Throws the errors of the client: `VALIDATION_FAILED`, `NOT_FOUND`, `FETCH_FAILED`. */
export async function findSource(
  identifier: string,
  client: Pick<FabricaClient, 'projectId' | 'request'>,
): Promise<Omit<Source, 'id'>> {
  const { source } = (await client.request({
    method: 'GET',
    path: `/api/references/${encodeURIComponent(client.projectId)}/source`,
    query: new URLSearchParams({ identifier }),
  })) as { source: Omit<Source, 'id'> };
  return source;
}
