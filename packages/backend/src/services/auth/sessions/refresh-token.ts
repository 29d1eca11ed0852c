import { createHmac, hash, randomBytes } from 'node:crypto';

export function makeRefreshToken(projectId: string): string {
  return `${projectId}.${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a token. */
export function hashRefreshToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * The one token that may follow `token`. Derived rather than drawn, so that it can be answered again within the grace
 * without being kept anywhere; nobody can derive it without the server's key.
 */
export function succeedRefreshToken(refreshKey: Buffer, projectId: string, token: string): string {
  const successor = createHmac('sha256', refreshKey)
    .update('refresh-successor\0')
    .update(token)
    .digest('base64url');
  return `${projectId}.${successor}`;
}

/** `<project id>.<256 random bits>`, of refresh tokens and one-time tokens: the project is told so that the row can be found. */
const SHAPE = /^([a-z0-9][a-z0-9_-]{0,62})\.[\w-]{43}$/;

/** The project that a token is for; undefined when it cannot be one of ours. */
export function tokenProject(token: string): string | undefined {
  return SHAPE.exec(token)?.[1];
}
