export { type Backend, createBackend } from './backend.ts';
export {
  type Config,
  ConfigError,
  EXIT_CONFIG,
  parseConfig,
  providerSettings,
  settings,
} from './config.ts';
export type { Bus, ChangeEvent, Row } from './core/bus.ts';
export * from './core/filter.ts';
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
} from './core/project.ts';
export { ProjectError } from './database/project.ts';
export { compress, type Encoding, preferredEncoding } from './http/compression.ts';
export { readPlainRequest } from './http/plain-exchange.ts';
export { clientAddress } from './http/request-context.ts';
export { createSendTogether } from './http/send-together.ts';
export type { AuthMail, RenderMail } from './mail/index.ts';
export { readProjects } from './projects-folder.ts';
export type { Notice, RenderNotice } from './services/notifications/index.ts';
