export { type Backend, createBackend } from './backend.ts';
export type { Bus, ChangeEvent, Row } from './bus.ts';
export {
  type Config,
  ConfigError,
  EXIT_CONFIG,
  parseConfig,
  providerSettings,
  settings,
} from './config.ts';
export * from './filter.ts';
export { compress, type Encoding, preferredEncoding } from './http/compression.ts';
export { clientAddress } from './http/request-context.ts';
export type { AuthMail, RenderMail } from './mail/index.ts';
export { defineProject, type ProjectDefinition, type RowPolicy, type Table } from './project.ts';
