import { hash, timingSafeEqual } from 'node:crypto';
import { anonymous, type Caller, type UserCaller } from '../../../core/caller.ts';
import { notSignedIn } from '../../../core/errors.ts';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { UserRow } from '../queries.ts';
import { invalidToken, issuerOf, type VerifiedClaims, verifyAccessToken } from './access-token.ts';
import { createTokenCache } from './token-cache.ts';

const TOKENS_REMEMBERED = 10_000;

/** The session of an access token, with its user's row as it is now. */
export interface UserSession {
  project: Project;
  user: UserRow;
  /** Also the family of its refresh tokens. */
  sessionId: string;
  claims: VerifiedClaims;
}

export interface Authenticator {
  /**
   * Returns the caller of a project for an Authorization header; without one, the caller is anonymous.
   * Session and user are read each time, so that a sign-out, a disabled account or a new role takes effect at
   * once. Throws `TOKEN_EXPIRED`, `UNAUTHENTICATED`.
   */
  authenticate(authorization: string | undefined, project: Project): Promise<Caller>;
  /** Returns the session of an access token, which names its project. Throws as `authenticate` does. */
  requireSession(authorization: string | undefined): Promise<UserSession>;
  /**
   * Returns the project whose secret key the header carries, or `undefined` when it carries something else.
   * Throws `UNAUTHENTICATED` for an unknown secret key.
   */
  serviceProject(authorization: string | undefined): Project | undefined;
}

interface AuthenticatorOptions {
  keys: Keys;
  projects: ReadonlyMap<string, Project>;
  /** Roles whose sessions count only once a second step was taken. */
  secondFactorRoles: readonly string[];
  /** The origin of the product, which issues the access tokens. */
  publicUrl: string;
}

export function createAuthenticator({
  keys,
  projects,
  secondFactorRoles,
  publicUrl,
}: AuthenticatorOptions): Authenticator {
  const ours = { issuer: issuerOf(publicUrl), since: Math.floor(Date.now() / 1_000) };
  const tokens = createTokenCache(
    TOKENS_REMEMBERED,
    (token) => verifyAccessToken(keys, token, ours),
    async ({ exp, kid }) => exp * 1_000 > Date.now() && (await keys.verifier(kid)) !== undefined,
  );

  async function readUser(project: Project, claims: VerifiedClaims): Promise<UserRow> {
    if (claims.project_id !== project.definition.id) throw invalidToken();
    const { database } = project;
    const [user] = await database.query(userOfSession(database, secondFactorRoles), [
      claims.sid,
      claims.sub,
      ...secondFactorRoles,
    ]);
    if (!user) throw invalidToken();
    return user as unknown as UserRow;
  }

  return {
    async authenticate(authorization, project) {
      if (authorization === undefined) return anonymous;
      const token = parseBearer(authorization);
      if (token.startsWith('sk_')) {
        if (!equalSecrets(token, project.secretKey)) throw invalidToken();
        return { kind: 'service' };
      }
      const user = await readUser(project, await tokens.verify(token));
      return callerOf(user);
    },
    async requireSession(authorization) {
      if (authorization === undefined) throw notSignedIn();
      const claims = await tokens.verify(parseBearer(authorization));
      const project = projects.get(claims.project_id);
      if (!project) throw invalidToken();
      return { project, user: await readUser(project, claims), sessionId: claims.sid, claims };
    },
    serviceProject(authorization) {
      const token = authorization === undefined ? '' : parseBearer(authorization);
      if (!token.startsWith('sk_')) return undefined;
      const found = [...projects.values()].filter(({ secretKey }) => equalSecrets(token, secretKey));
      if (!found[0]) throw invalidToken();
      return found[0];
    },
  };
}

export function callerOf({ id, email, display_name: displayName, role }: UserRow): UserCaller {
  return { kind: 'user', id, email, displayName, role };
}

/**
 * Selects the user of an open session whose account is not disabled. A role that asks for a second step has none of the
 * sessions without one, whether it was given to the account or began to ask after they were opened.
 */
function userOfSession({ syntax }: Project['database'], roles: readonly string[]): string {
  const listed = roles.map((_, index) => syntax.placeholder(index + 3)).join(', ');
  const stepTaken =
    roles.length > 0 ? ` AND (sessions.second_step IS NOT NULL OR users.role NOT IN (${listed}))` : '';
  return (
    `SELECT users.* FROM sessions JOIN users ON users.id = sessions.user_id ` +
    `WHERE sessions.id = ${syntax.placeholder(1)} AND users.id = ${syntax.placeholder(2)} AND users.disabled_at IS NULL${stepTaken}`
  );
}

function parseBearer(authorization: string): string {
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (!token) throw invalidToken();
  return token;
}

/** Compares in constant time. */
function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
