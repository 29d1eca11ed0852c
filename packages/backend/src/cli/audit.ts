import type { Project } from '../database/project.ts';
import {
  AUDIT_EVENTS,
  type AuditRow,
  authReader,
  listEvents,
  requireAccount,
} from '../services/auth/index.ts';
import { defineCommand } from './framework/command.ts';
import { usageError } from './framework/command-error.ts';
import { parseLimit } from './framework/parse-values.ts';
import { isoTime, presentTable, presentTime } from './framework/present.ts';

const headings = ['TIME', 'EVENT', 'ACCOUNT', 'NETWORK', 'DEVICE', 'DETAILS'] as const;

export const auditCommand = defineCommand({
  name: 'audit',
  arguments: [],
  options: {
    user: { value: '<email|id>', description: 'Only events of one account; a deleted account by its id.' },
    event: { value: '<event>', description: 'Only events of one kind.' },
    limit: { value: '<number>', description: 'How many at most (default: 50).' },
  },
  summary: 'Lists security events, the newest first.',
  details: `The events are: ${AUDIT_EVENTS.join(', ')}.`,
  async run({ options, json, terminal, ...context }) {
    const limit = parseLimit(options.limit, 50);
    const { event } = options;
    if (event !== undefined && !AUDIT_EVENTS.some((known) => known === event)) {
      throw usageError(`There is no event "${event}"; the events are: ${AUDIT_EVENTS.join(', ')}.`);
    }
    const project = await context.project();
    const userId = options.user && (await idOf(project, options.user));
    const events = await listEvents(authReader(project.database), { userId, event, limit });
    if (json) return terminal.print(JSON.stringify(events.map(eventJson), null, 2));
    const emails = await emailsOf(project, events);
    const rows = events.map(({ at, event, user_id, address, device, details }) => [
      presentTime(at),
      event,
      user_id && (emails.get(user_id) ?? user_id),
      address,
      device,
      details && presentDetails(details),
    ]);
    terminal.print(presentTable(headings, rows));
  },
});

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

/** Returns details as `from=author to=admin`. */
function presentDetails(details: string): string {
  return Object.entries(JSON.parse(details) as Record<string, unknown>)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
