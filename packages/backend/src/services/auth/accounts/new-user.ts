import { randomUUID } from 'node:crypto';
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
