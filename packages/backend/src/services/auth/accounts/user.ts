import { randomUUID } from 'node:crypto';
import type { User } from '@fabrica/contract';
import type { Bus } from '../../../core/bus.ts';
import { changesOfUserViews } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import type { UserRow } from '../queries.ts';

/** An account of the project's sign-up role that has nothing but its address yet. */
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
    ...given,
  };
}

/** A row as its own user sees it: nothing of the password. */
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

/** An account before and after a write; at least one of them is there. */
export interface UserChange {
  /** Null when it was created. */
  before: UserRow | null;
  /** Null when it was deleted. */
  after: UserRow | null;
}

/**
 * Tells what a committed write on an account means for the project's views of accounts: what is kept of those is
 * stale. Only the columns that a view shows go on the bus.
 */
export function publishUser(bus: Bus, { definition }: Project, change: UserChange): void {
  for (const shown of changesOfUserViews(definition, change)) {
    bus.publish({ projectId: definition.id, ...shown });
  }
}
