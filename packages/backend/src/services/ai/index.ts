export { aiMigrations } from './migrations.ts';

import type { Ai, AiOptions } from './routes.ts';

export type { Ai, AiOptions } from './routes.ts';
/** Its modules are loaded with it. */
export async function openAi(options: AiOptions): Promise<Ai> {
  const { createAi } = await import('./routes.ts');
  return createAi(options);
}
export type { AiSettings } from './settings.ts';
export { totalUsage, type UsageTotal } from './usage/queries.ts';
