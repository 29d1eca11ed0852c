import type { InsightScope, Insights } from '@fabrica/contract';
import { type HttpClient, parseBody } from '../http/http.ts';

export interface InsightsQuery {
  /** The first day, in UTC: `YYYY-MM-DD`. Default: the last 30 days. */
  from?: string | undefined;
  /** The last day, included. */
  to?: string | undefined;
  /** The pages to count. Default: `all` for users who may see all pages, else `own`. */
  scope?: InsightScope | undefined;
}

/**
 * Fetches the counts of a range of days. Throws UNAUTHENTICATED, FORBIDDEN, or a ValidationError for invalid days.
 */
export type ReadInsights = (query?: InsightsQuery) => Promise<Insights>;

export function createReadInsights({
  http,
  projectId,
}: {
  http: HttpClient;
  projectId: string;
}): ReadInsights {
  return async ({ from, to, scope } = {}) => {
    const parameters = Object.entries({ from, to, scope }).filter((entry) => entry[1] !== undefined);
    const response = await http.request({
      service: 'analytics',
      method: 'GET',
      path: `/api/analytics/${encodeURIComponent(projectId)}/insights`,
      query: new URLSearchParams(parameters as [string, string][]),
    });
    return parseBody<Insights>(response, 'totals');
  };
}
