import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Project } from '../../../database/project.ts';

export function makeRefreshToken(projectId: string): string {
  return `${projectId}.${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash that is stored in place of a token. */
export function hashRefreshToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * Returns the only token that may follow `token` by this key. It is derived rather than random, so that it can be
 * returned again within the grace period without being stored; deriving it needs the server's key.
 */
export function deriveSuccessor(refreshKey: Buffer, projectId: string, token: string): string {
  const successor = createHmac('sha256', refreshKey)
    .update('refresh-successor\0')
    .update(token)
    .digest('base64url');
  return `${projectId}.${successor}`;
}

/** The form of refresh tokens and one-time tokens: `<project id>.<256 random bits>`. */
const SHAPE = /^([a-z0-9][a-z0-9_-]{0,62})\.[\w-]{43}$/;

/** Returns the project that a token names, or `undefined` when the token has another form or there is no such project. */
export function projectOfToken(projects: ReadonlyMap<string, Project>, token: string): Project | undefined {
  const id = SHAPE.exec(token)?.[1];
  return id === undefined ? undefined : projects.get(id);
}
