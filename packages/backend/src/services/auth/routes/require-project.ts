import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { invalidToken } from '../sessions/access-token.ts';
import type { Authenticator } from '../sessions/authenticate.ts';

/** The project that a call names: pages of its origins alone may read the answer. Throws PROJECT_NOT_FOUND. */
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
 * Throws UNAUTHENTICATED without this project's secret key, FORBIDDEN for a signed-in user: what is answered here hands
 * out accounts.
 */
export async function requireSecretKey(
  authenticator: Authenticator,
  authorization: string | undefined,
  project: Project,
): Promise<void> {
  const caller = await authenticator.authenticate(authorization, project);
  if (caller.kind === 'service') return;
  if (caller.kind === 'anonymous') throw invalidToken();
  throw new AppError('FORBIDDEN', 'This call wants the project’s secret key.');
}
