import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { invalidToken } from '../sessions/access-token.ts';
import type { Authenticator } from '../sessions/authenticate.ts';

/**
 * Returns the project that a request names; only pages of its origins may read the response. Throws
 * `PROJECT_NOT_FOUND`.
 */
export function requireProject(
  c: Context<AppEnvironment>,
  projects: ReadonlyMap<string, Project>,
  projectId: string,
): Project {
  const project = projects.get(projectId);
  if (!project) throw new AppError('PROJECT_NOT_FOUND', 'There is no project of this id here.');
  c.set('project', project);
  return project;
}

/**
 * Throws `UNAUTHENTICATED` without this project's secret key, and `FORBIDDEN` for a signed-in user: these
 * routes hand out accounts.
 */
export async function requireSecretKey(
  c: Context<AppEnvironment>,
  authenticator: Authenticator,
  project: Project,
): Promise<void> {
  const caller = await authenticator.authenticate(c.req.header('authorization'), project);
  c.set('caller', caller);
  if (caller.kind === 'service') return;
  if (caller.kind === 'anonymous') throw invalidToken();
  throw new AppError('FORBIDDEN', 'This call wants the project’s secret key.');
}
