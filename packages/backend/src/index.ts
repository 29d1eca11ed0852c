export { type Backend, type BackendPages, createBackend } from './backend.ts';
export {
  type Config,
  ConfigError,
  EXIT_CONFIG,
  parseConfig,
  settings,
} from './config.ts';
export type { Bus, ChangeEvent, Row } from './core/bus.ts';
export * from './core/filter.ts';
export type {
  Announcement,
  ChannelRule,
  Column,
  FindRow,
  InsightRules,
  ProjectDefinition,
  RowPolicy,
  Table,
} from './core/project.ts';
export { type Environment, emailSetting, onOrOff, type SettingsSchema } from './core/settings.ts';
export { ProjectError } from './database/project.ts';
export { createBatchedSender } from './http/batched-sender.ts';
export { compress, type Encoding, preferredEncoding } from './http/compression.ts';
export { readPlainRequest } from './http/plain-exchange.ts';
export { createRateLimits, ipKey, type RateLimit } from './http/rate-limit.ts';
export { clientIp } from './http/request-context.ts';
export type { AuthMail, RenderMail } from './mail/index.ts';
export { defineProject } from './project-database.ts';
export { readProjects } from './projects-folder.ts';
export { providerSettings } from './services/auth/index.ts';
export type { NoticeContent, RenderNotice } from './services/notifications/index.ts';
