import { readAccountRows } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import { listFilesOf, publicPathname } from '../../storage/index.ts';
import { authError } from '../auth-errors.ts';
import { presentFactor } from '../factors/add-factor.ts';
import { listFactors } from '../factors/factor-queries.ts';
import { authReader, findUser } from '../queries.ts';
import { presentUser } from './user.ts';

interface ExportAccountOptions {
  project: Project;
  userId: string;
}

/**
 * Yields everything that is stored about an account as one JSON text. It comes in parts, so that only a few
 * rows are in memory at a time: the account (without its password hash), its sessions, factors, identities and audit
 * events, its files with their public paths, and its rows in the project's tables, with the columns as the
 * database service names them. Times in rows stay epoch ms; all other times are ISO 8601.
 *
 * Throws `USER_NOT_FOUND` before the first part.
 */
export async function* exportAccount({ project, userId }: ExportAccountOptions): AsyncGenerator<string> {
  const user = await findUser(authReader(project.database), userId);
  if (!user) throw authError('USER_NOT_FOUND');
  const { language, disabled_at } = user;
  const about = {
    exportedAt: new Date().toISOString(),
    project: project.definition.id,
    account: { ...presentUser(user), language, disabledAt: disabled_at && toIso(disabled_at) },
    ...(await readSecurity(project, userId)),
    files: await readFiles(project, userId),
  };
  yield `${JSON.stringify(about).slice(0, -1)},"tables":{`;
  let first = true;
  for (const { table, parts } of readAccountRows(project, userId)) {
    yield `${first ? '' : ','}${JSON.stringify(table)}:[`;
    first = false;
    let separator = '';
    for await (const rows of parts) {
      if (rows.length === 0) continue;
      yield separator + rows.map((row) => JSON.stringify(row)).join(',');
      separator = ',';
    }
    yield ']';
  }
  yield '}}';
}

/** Reads the account's sessions, factors, identities and audit events. */
async function readSecurity({ database }: Project, userId: string) {
  const reader = authReader(database);
  const sessions = await reader
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const identities = await reader
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const events = await reader
    .selectFrom('audit_log')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return {
    sessions: sessions.map(({ id, method, device, created_at, last_used_at }) => {
      return { id, method, device, createdAt: toIso(created_at), lastUsedAt: toIso(last_used_at) };
    }),
    factors: (await listFactors(reader, userId)).map(presentFactor),
    identities: identities.map(({ provider, subject, email, created_at }) => {
      return { provider, subject, email, createdAt: toIso(created_at) };
    }),
    events: events.map(({ at, event, address, device, details }) => {
      return { at: toIso(at), event, address, device, details: details && JSON.parse(details) };
    }),
  };
}

async function readFiles({ definition, database }: Project, userId: string) {
  return (await listFilesOf(database, userId)).map(({ path, content_type, size, created_at }) => ({
    path,
    publicPath: publicPathname(definition.id, path),
    contentType: content_type,
    size,
    createdAt: toIso(created_at),
  }));
}

/** Converts epoch ms. */
function toIso(time: number): string {
  return new Date(time).toISOString();
}
