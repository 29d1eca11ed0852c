import { randomUUID } from 'node:crypto';
import type { User } from '@fabrica/contract';
import type { Bus } from '../../../core/bus.ts';
import { changesOfUserViews } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import type { UserRow } from '../queries.ts';

/** Returns the row of a new account with the project's sign-up role. Fields that are not given are empty. */
export function newUser(project: Project, given: Partial<UserRow> & Pick<UserRow, 'email'>): UserRow {
  return {
    id: `user_${randomUUID()}`,
    display_name: null,
    photo_url: null,
    email_verified: 0,
    role: project.definition.signUpRole,
    password_hash: null,
    created_at: Date.now(),
    last_sign_in_at: null,
    language: null,
    disabled_at: null,
    hidden_at: null,
    ...given,
  };
}

/** Converts a row to what its own user sees, which includes nothing of the password. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    photoURL: row.photo_url,
    emailVerified: row.email_verified === 1,
    role: row.role,
    createdAt: new Date(row.created_at).toISOString(),
    lastSignInAt: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at).toISOString(),
  };
}

/** An account before and after a write. At least one of the two is not `null`. */
interface UserChange {
  /** `null` when the account was created. */
  before: UserRow | null;
  /** `null` when the account was deleted. */
  after: UserRow | null;
}

/**
 * Publishes what a committed write on an account changes in the project's views of accounts, so that caches
 * of them are invalidated. Only the columns that a view shows go on the bus.
 */
export function publishUser(bus: Bus, { definition }: Project, change: UserChange): void {
  for (const shown of changesOfUserViews(definition, change)) {
    bus.publish({ projectId: definition.id, ...shown });
  }
}
