import { Option } from '@commander-js/extra-typings';
import type { Project } from '../database/project.ts';
import {
  AUDIT_EVENTS,
  type AuditRow,
  authReader,
  listEvents,
  requireAccount,
} from '../services/auth/index.ts';
import { countUpTo } from './program/parse-values.ts';
import { isoTime, presentTable, presentTime } from './program/present.ts';
import type { Cli } from './program/run-program.ts';

const headings = ['TIME', 'EVENT', 'ACCOUNT', 'NETWORK', 'DEVICE', 'DETAILS'] as const;

export function auditCommand({ command, run }: Cli): void {
  command('audit', 'Lists security events, the newest first.')
    .option('--user <email|id>', 'Only events of one account; a deleted account by its id.')
    .addOption(new Option('--event <event>', 'Only events of one kind.').choices(AUDIT_EVENTS))
    .option('--limit <number>', 'How many at most.', countUpTo(10_000), 50)
    .action(
      run(async (context, { user, event, limit }) => {
        const project = await context.project();
        const userId = user && (await idOf(project, user));
        const events = await listEvents(authReader(project.database), { userId, event, limit });
        const emails = await emailsOf(project, events);
        const rows = events.map(({ at, event, user_id, address, device, details }) => [
          presentTime(at),
          event,
          user_id && (emails.get(user_id) ?? user_id),
          address,
          device,
          details && presentDetails(details),
        ]);
        context.show(events.map(eventJson), presentTable(headings, rows));
      }),
    );
}

/** Returns the id of an account. A deleted account can be given by its id only. */
async function idOf(project: Project, emailOrId: string): Promise<string> {
  return emailOrId.includes('@') ? (await requireAccount(project, emailOrId)).id : emailOrId.trim();
}

/** Returns the e-mails of the accounts that still exist, by id. */
async function emailsOf({ database }: Project, events: readonly AuditRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(events.flatMap(({ user_id }) => user_id ?? []))];
  if (ids.length === 0) return new Map();
  const users = await authReader(database)
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .execute();
  return new Map(users.map(({ id, email }) => [id, email]));
}

function eventJson({ id, at, event, user_id, address, device, details }: AuditRow) {
  return {
    id,
    at: isoTime(at),
    event,
    userId: user_id,
    address,
    device,
    details: details === null ? null : JSON.parse(details),
  };
}

/** Returns details as `from=author to=admin`. A path with a space in it, which strangers choose, is quoted: it adds no details. */
function presentDetails(details: string): string {
  return Object.entries(JSON.parse(details) as Record<string, unknown>)
    .map(([name, value]) => `${name}=${/[\s"]/.test(`${value}`) ? JSON.stringify(value) : value}`)
    .join(' ');
}
