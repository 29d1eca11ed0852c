import type { SearchResult } from '@fabrica/contract';
import { createLazyService, type Service } from '../../http/lazy-service.ts';
import type { DataOptions } from './open-data.ts';
import { createOutgoingBudget, type SpendOutgoing } from './requests/outgoing-budget.ts';

export { dataMigrations, dataTables } from './migrations.ts';
export type { DataOptions } from './open-data.ts';
export type { SpendOutgoing } from './requests/outgoing-budget.ts';
export { hostPortOf } from './secrets/fill-in-secrets.ts';
export { deleteSecret, listSecrets, SECRET_NAME, saveSecret, sealSecretsAnew } from './secrets/secrets.ts';
export { dataSettings, readDataSettings } from './settings.ts';

interface Data extends Service {
  /** Returns the first results of a web search; `undefined` when no search engine is configured. */
  search: ((query: string, signal: AbortSignal) => Promise<SearchResult[]>) | undefined;
  /** Counts a call to another server, which services beside this one make for accounts. */
  spendOutgoing: SpendOutgoing;
}

/**
 * Creates the data service of the wire contract, for `/api/data/:projectId`. Its modules are loaded with the first call.
 */
export function createData({ isNewAccount, noticeBudget, ...options }: DataOptions): Data {
  const spend = createOutgoingBudget({ ...options.settings, isNewAccount, noticeBudget });
  const service = createLazyService(async () =>
    (await import('./open-data.ts')).openData({ ...options, spend }),
  );
  return {
    spendOutgoing: spend,
    routes: service.routes,
    search:
      options.settings.searchUrl === undefined
        ? undefined
        : async (query, signal) => (await service.loaded()).search?.(query, signal) ?? [],
    close: service.close,
  };
}
