import type { InsightScope, Insights } from '@fabrica/contract';
import { NetworkError } from '../http/errors.ts';
import type { HttpClient } from '../http/http.ts';

export interface InsightsQuery {
  /** Days of UTC, `YYYY-MM-DD`, both included; the last 30 when left out. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whose pages; `all` for who may see them all when left out, else `own`. */
  scope?: InsightScope | undefined;
}

/** What was counted in some days; throws UNAUTHENTICATED, FORBIDDEN, a ValidationError for days that are none. */
export type ReadInsights = (query?: InsightsQuery) => Promise<Insights>;

export function createReadInsights({
  http,
  projectId,
}: {
  http: HttpClient;
  projectId: string;
}): ReadInsights {
  return async ({ from, to, scope } = {}) => {
    const asked = Object.entries({ from, to, scope }).filter((entry) => entry[1] !== undefined);
    const { body, status } = await http.request({
      service: 'analytics',
      method: 'GET',
      path: `/api/analytics/${encodeURIComponent(projectId)}/insights`,
      query: new URLSearchParams(asked as [string, string][]),
    });
    if (typeof body !== 'object' || body === null || !('totals' in body)) throw new NetworkError({ status });
    return body as Insights;
  };
}
