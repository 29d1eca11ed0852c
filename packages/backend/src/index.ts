export { LRUCache } from 'lru-cache';
export { type Backend, type BackendPages, createBackend, type ServiceParts } from './backend.ts';
export { openBackupSchedule } from './backup/index.ts';
export {
  type Config,
  ConfigError,
  EXIT_CONFIG,
  parseConfig,
  settings,
} from './config.ts';
export type { Bus, ChangeEvent, Row } from './core/bus.ts';
export { type Caller, publicName, requireUser, type UserCaller } from './core/caller.ts';
export { AppError, type FieldFault, isForGood } from './core/errors.ts';
export { fillInBatches } from './core/fill-in-batches.ts';
export * from './core/filter.ts';
export type {
  Announcement,
  ChannelRule,
  Column,
  FindRow,
  InsightRules,
  Migration,
  ProjectDefinition,
  RowPolicy,
  Table,
} from './core/project.ts';
export { type Environment, emailSetting, onOrOff, type SettingsSchema } from './core/settings.ts';
export { unreadSettings } from './core/unread-settings.ts';
export { VERSION } from './core/version.ts';
export { readProvedBackup } from './database/index.ts';
export type { Database, Syntax, TablePlan, WriteQuota } from './database/port.ts';
export { type Project, ProjectError } from './database/project.ts';
export type { Statement } from './database/query/query.ts';
export { lockStart, noteServing } from './database/start-lock.ts';
export { ServicePlans, writeAndPublish } from './database/write/service-plans.ts';
export { parseJsonBody, parseWith, readBytes } from './http/body.ts';
export { compress, compressOnce, type Encoding, preferredEncoding } from './http/compression.ts';
export { corsHeaders } from './http/cors.ts';
export type { AppEnvironment } from './http/environment.ts';
export type { Service } from './http/lazy-service.ts';
export { createLogDestination } from './http/log-destination.ts';
export { createLogOptions } from './http/log-options.ts';
export { observeRequests } from './http/observed/observe-requests.ts';
export { createRequestIds } from './http/observed/request-ids.ts';
export { createRouteOf } from './http/observed/route-patterns.ts';
export type { Tracer } from './http/observed/tracing.ts';
export { OpenByNetwork } from './http/open-by-network.ts';
export { createRateLimits, type RateLimit, type RateLimits } from './http/rate-limit.ts';
export { clientIp } from './http/request-context.ts';
export type { LogRequest } from './http/request-log.ts';
export { matchesEtag, type SharedBindings, type SharedResponse, share } from './http/shared-response.ts';
export type { AuthMail, RenderMail } from './mail/index.ts';
export { defineProject } from './project-database.ts';
export { readProjects } from './projects-folder.ts';
export { maxFileHandles } from './runtime/file-handles.ts';
export type { CacheUsage, Meter } from './runtime/meter.ts';
export { PacedQueue } from './runtime/paced-queue.ts';
export { type Lease, Poller, withLease } from './runtime/poller.ts';
export { createPrivateFiles } from './runtime/private-files.ts';
export { backOffMs, retry } from './runtime/retry.ts';
export { Semaphore } from './runtime/semaphore.ts';
export { traced } from './runtime/traced.ts';
export { WorkerPool } from './runtime/workers/worker-pool.ts';
export { ThreadEnded, WorkerThread } from './runtime/workers/worker-thread.ts';
export type { TextModel, TextOfTask, TextTask } from './services/ai/index.ts';
export { countPageViews } from './services/analytics/index.ts';
export {
  type AuditEntry,
  changeRole,
  eventStatement,
  findAccount,
  providerSettings,
} from './services/auth/index.ts';
export type { NoticeContent, RenderNotice } from './services/notifications/index.ts';
export { formOfRead } from './services/rest/index.ts';
export { modernFormat, VARIANT_URL } from './services/storage/index.ts';
