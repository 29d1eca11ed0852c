import { createLazyService, type Service } from '../../http/lazy-service.ts';
import type { AiOptions } from './routes.ts';

export { aiMigrations, aiTables } from './migrations.ts';
export type { AiOptions } from './routes.ts';
export { type AiSettings, aiSettings, readAiSettings } from './settings.ts';
export { totalUsage, type UsageTotal } from './usage/queries.ts';

/** Creates the AI service of the wire contract, for `/api/ai/:projectId`. Its modules are loaded with the first call. */
export function createAi(options: AiOptions): Service {
  return createLazyService(async () => (await import('./routes.ts')).openAi(options));
}
