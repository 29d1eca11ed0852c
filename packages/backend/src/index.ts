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
export { readPlainRequest } from './http/plain-exchange.ts';
export { clientAddress } from './http/request-context.ts';
export { createSendTogether } from './http/send-together.ts';
export type { AuthMail, RenderMail } from './mail/index.ts';
export type { Notice, RenderNotice } from './notifications/index.ts';
export { ProjectError } from './open-project.ts';
export {
  type Announcement,
  type ChannelRule,
  type Column,
  defineProject,
  type FindRow,
  type InsightRules,
  type ProjectDefinition,
  type RowPolicy,
  type Table,
} from './project.ts';
export { readProjects } from './projects-folder.ts';
