import type { FabricaClient } from '@fabrica/client';
import type { listReports } from '../../../../desk/translations/reports/reports.ts';
import type { listQueue } from '../../../../desk/translations/verbs/queue.ts';
import type { Language } from '../../../../project/languages.ts';
import type { WaitingState } from '../../../../project/translations.ts';
import { createSendDeskRequest, pathOf, type ResponseOf } from '../../desk-requests.ts';

export interface QueueQuery {
  language?: Language | undefined;
  state?: WaitingState | undefined;
  cursor?: string | undefined;
}

export type QueuePage = ResponseOf<typeof listQueue>;
type ReportsPage = ResponseOf<typeof listReports>;
export type QueueClient = ReturnType<typeof createQueueClient>;

/** Returns the calls about the translations of all posts. They throw the errors of the client. */
export function createQueueClient(client: Pick<FabricaClient, 'projectId' | 'request'>) {
  const send = createSendDeskRequest(client);
  return {
    queue: (query: QueueQuery) => send<QueuePage>('GET', '/translations/queue', { query }),
    reports: (cursor?: string) => send<ReportsPage>('GET', '/translations/reports', { query: { cursor } }),
    resolve: (report: string) =>
      send<void>('POST', pathOf`/translations/reports/${report}/resolve`, { json: {} }),
  };
}
