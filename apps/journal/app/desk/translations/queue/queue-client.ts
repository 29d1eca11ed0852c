import type { FabricaClient } from '@fabrica/client';
import type { Language } from '../../../../project/languages.ts';
import type { QueuedPost, WaitingSegments, WaitingState } from '../../../../project/translations.ts';
import { parameters } from '../../desk-client.ts';

export interface QueueQuery {
  language?: Language | undefined;
  state?: WaitingState | undefined;
  cursor?: string | undefined;
}

export interface QueuePage {
  posts: QueuedPost[];
  waiting: WaitingSegments;
  cursor: string | null;
}

/** Holds what a reader reports about a translation. Times are epoch milliseconds. */
export interface TranslationReport {
  id: string;
  postId: string;
  title: string;
  language: Language;
  /** The segment that the quotation is found in, if it is. */
  segmentId: string | null;
  quote: string;
  message: string;
  createdAt: number;
}

export interface ReportsPage {
  reports: TranslationReport[];
  /** Tells how many wait in all. */
  total: number;
  cursor: string | null;
}

/** The calls about the translations of all posts. They throw the errors of the client. */
export interface QueueClient {
  queue(query: QueueQuery): Promise<QueuePage>;
  reports(cursor?: string): Promise<ReportsPage>;
  resolve(report: string): Promise<void>;
}

export function createQueueClient(client: Pick<FabricaClient, 'projectId' | 'request'>): QueueClient {
  const base = `/api/desk/${encodeURIComponent(client.projectId)}/translations`;
  return {
    queue: async (query) =>
      (await client.request({
        method: 'GET',
        path: `${base}/queue`,
        query: parameters(query),
      })) as QueuePage,
    reports: async (cursor) =>
      (await client.request({
        method: 'GET',
        path: `${base}/reports`,
        query: parameters({ cursor }),
      })) as ReportsPage,
    resolve: async (report) =>
      void (await client.request({
        method: 'POST',
        path: `${base}/reports/${encodeURIComponent(report)}/resolve`,
        json: {},
      })),
  };
}
