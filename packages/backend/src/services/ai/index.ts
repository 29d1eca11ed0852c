import { createLazyService, type Service } from '../../http/lazy-service.ts';
import type { TextOfTask, TextTask } from './calls/text-tasks.ts';
import { ProviderHealth } from './models/provider-health.ts';
import type { AiOptions } from './routes.ts';
import type { AiSettings, JudgeMeasured } from './settings.ts';

export type { TextOfTask, TextTask } from './calls/text-tasks.ts';
export { aiMigrations, aiTables } from './migrations.ts';
export type { AiOptions } from './routes.ts';
export { aiSettings, MODEL_SETTINGS, readAiSettings } from './settings.ts';
export { totalUsage, type UsageTotal } from './usage/queries.ts';

/** The language model, for services of the product: on the budgets of accounts, in turn with the calls of all. */
export interface TextModel {
  /** The name at the provider; undefined when the operator has named none. */
  name: string | undefined;
  /** The name of the model that sees pictures, which tasks with an image go to; undefined when there is none. */
  visionName: string | undefined;
  /** The model that reads what the language model has translated, and how good it is; undefined when there is none of them. */
  judge: { name: string; measured: JudgeMeasured | null } | undefined;
  /** Calls that run at a time, those of all accounts together. */
  concurrency: number;
  /** Generates a text, as `runTextTask` does. */
  generate(task: TextTask): Promise<TextOfTask>;
}

export interface AiService extends Service {
  textModel: TextModel;
  /** Tells how calls of the provider end; undefined when there is none. */
  health: ProviderHealth | undefined;
}

/** Creates the AI service of the wire contract, for `/api/ai/:projectId`. Its modules are loaded with the first call. */
export function createAi(options: Omit<AiOptions, 'health'>): AiService {
  const health = new ProviderHealth();
  const { routes, loaded, close } = createLazyService(async () =>
    (await import('./routes.ts')).openAi({ ...options, health }),
  );
  const { baseUrl, provider, models, judgeMeasured, concurrency } = options.settings;
  const isProvided = Boolean(baseUrl ?? provider);
  return {
    routes,
    close,
    health: isProvided ? health : undefined,
    textModel: {
      name: isProvided ? models.text : undefined,
      judge:
        isProvided && models.text && models.judge
          ? { name: models.judge, measured: judgeMeasured }
          : undefined,
      visionName: isProvided ? models.vision : undefined,
      concurrency,
      generate: async (task) => (await loaded()).generate(task),
    },
  };
}

/** Asks the text model for a word, as `models/try-model.ts` says, which is loaded for it. */
export async function tryTextModel(settings: AiSettings, timeout: number): Promise<string[]> {
  return (await import('./models/try-model.ts')).tryTextModel(settings, timeout);
}

/** Returns the models that the endpoint lists, likewise. */
export async function listModels(settings: AiSettings, timeout: number): Promise<string[] | undefined> {
  return (await import('./models/try-model.ts')).listModels(settings, timeout);
}
