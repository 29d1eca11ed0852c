export type { LanguageModel, TextTask } from './language-model.ts';
export { type AiOptions, aiRoutes } from './routes.ts';
