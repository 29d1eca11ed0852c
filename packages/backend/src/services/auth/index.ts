export {
  createUser,
  disableUser,
  enableUser,
  findAccount,
  listUsers,
  requireAccount,
  verifyUser,
} from './accounts/administer-users.ts';
export { deleteAccount } from './accounts/delete-account.ts';
export { createNewAccountCheck, type IsNewAccount } from './accounts/is-new-account.ts';
export { type ChangedRole, changeRole } from './accounts/people.ts';
export { presentUser } from './accounts/user.ts';
export {
  AUDIT_EVENTS,
  type AuditEntry,
  type AuditEvent,
  eventStatement,
  listEvents,
  recordEvent,
  removalStatement,
} from './audit.ts';
export { type Auth, createAuth } from './create-auth.ts';
export { presentFactor } from './factors/add-factor.ts';
export { countRecoveryCodes, listFactors } from './factors/factor-queries.ts';
export { resetFactors } from './factors/remove-factor.ts';
export { sealFactorsAnew } from './factors/seal-factors-anew.ts';
export { issueMailToken, mailLink } from './mail-links/auth-mails.ts';
export { authMigrations, authTables } from './migrations.ts';
export { writeOwnerNotice } from './owner-notices/notify-owner.ts';
export { createPasswordHasher } from './passwords/password-hasher.ts';
export { ownWordsOf } from './passwords/password-rules.ts';
export { type ProviderSettings, parseProviders } from './providers/provider-settings.ts';
export { type AuditRow, authReader, authWriter, type UserRow } from './queries.ts';
export {
  type AuthPages,
  type AuthSettings,
  authSettings,
  providerSettings,
} from './settings.ts';
