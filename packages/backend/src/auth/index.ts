export { type Auth, createAuth } from './create-auth.ts';
export { authMigrations } from './migrations.ts';
