import type { Context } from 'hono';
import type { ZodType } from 'zod';
import type { Project } from '../../../database/project.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { type Attempt, type LimitedCall, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { requireProject } from './require-project.ts';

interface AttemptOptions<T> {
  call: LimitedCall & Attempt['call'];
  schema: ZodType<T>;
  /** Returns the e-mail that the call is about, trimmed and in lower case, if it names one. */
  emailOf(given: T): string | null | undefined;
  /** The kind of a mail. */
  kind?: string;
}

interface ReadAttempt<T> {
  project: Project;
  given: T;
  /** Its `account` is the e-mail; empty when the call names none. */
  attempt: Attempt;
}

/**
 * Reads a call about an account, and counts it by its IP address unless the account was used in this browser before:
 * others in the same network cannot keep its owner out. Throws `RATE_LIMITED`, `PROJECT_NOT_FOUND`, and what
 * `parseJsonBody` and `emailOf` throw.
 */
export async function readAttempt<T extends { projectId: string }>(
  { limits, projects, devices }: Pick<AuthContext, 'limits' | 'projects' | 'devices'>,
  c: Context<AppEnvironment>,
  { call, schema, emailOf, kind = '' }: AttemptOptions<T>,
): Promise<ReadAttempt<T>> {
  const { clientIp } = c.var;
  const read = async () => {
    const given = await parseJsonBody(c, schema, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, given.projectId);
    const account = emailOf(given) ?? '';
    const device = account ? devices.read(c, { projectId: given.projectId, email: account }) : undefined;
    return { given, project, account, device };
  };
  const { given, project, account, device } = await read().catch(async (error: unknown) => {
    await limitByIp(limits, call, clientIp, kind);
    throw error;
  });
  if (!device) await limitByIp(limits, call, clientIp, kind);
  return { project, given, attempt: { call, clientIp, projectId: given.projectId, account, device, kind } };
}
