export { type AuditEvent, listEvents, recordEvent } from './audit.ts';
export { type Auth, createAuth } from './create-auth.ts';
export { authMigrations } from './migrations.ts';
export { createProviders, type ProviderSettings, parseProviders } from './providers/index.ts';
