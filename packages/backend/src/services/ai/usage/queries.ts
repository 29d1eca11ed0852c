import type { Kysely } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { dayOf } from '../../../http/daily-budget.ts';

interface UsageRow {
  id: string;
  /** Null for the service role. */
  user_id: string | null;
  capability: string;
  model: string;
  outcome: string;
  input_tokens: number | null;
  output_tokens: number | null;
  latency_ms: number;
  /** Epoch ms when the call began. */
  created_at: number;
}

interface UsageTables {
  ai_usage: UsageRow;
}

const readerOf = ({ database }: Project) => database.reader as Kysely<UsageTables>;
const writerOf = ({ database }: Project) => database.writer as Kysely<UsageTables>;

/** Adds a call to the usage table. */
export async function recordCall(project: Project, row: UsageRow): Promise<void> {
  await writerOf(project).insertInto('ai_usage').values(row).execute();
}

/** Returns the calls and tokens of a user since the day began, or of all users together. */
export async function usedToday(
  project: Project,
  userId: string | undefined,
  now: number,
): Promise<{ calls: number; tokens: number }> {
  const rows = readerOf(project).selectFrom('ai_usage').where('created_at', '>=', dayOf(now));
  const found = await (userId === undefined
    ? rows.where('user_id', 'is not', null)
    : rows.where('user_id', '=', userId)
  )
    .select(({ fn }) => [
      fn.countAll<number>().as('calls'),
      fn.sum<number | null>('input_tokens').as('input'),
      fn.sum<number | null>('output_tokens').as('output'),
    ])
    .executeTakeFirstOrThrow();
  return { calls: Number(found.calls), tokens: Number(found.input ?? 0) + Number(found.output ?? 0) };
}

export interface UsageTotal {
  userId: string | null;
  email: string | null;
  capability: string;
  model: string;
  calls: number;
  failed: number;
  inputTokens: number;
  outputTokens: number;
  /** Mean latency in milliseconds. */
  latencyMs: number;
}

/** Returns the usage since a time (epoch ms) by user, capability and model, the most calls first. */
export async function totalUsage({ database }: Project, since: number): Promise<UsageTotal[]> {
  const rows = await (database.reader as Kysely<UsageTables & { users: { id: string; email: string } }>)
    .selectFrom('ai_usage')
    .leftJoin('users', 'users.id', 'ai_usage.user_id')
    .select(({ fn, eb }) => [
      'ai_usage.user_id',
      'users.email',
      'ai_usage.capability',
      'ai_usage.model',
      fn.countAll<number>().as('calls'),
      fn.sum<number>(eb.case().when('ai_usage.outcome', '=', 'OK').then(0).else(1).end()).as('failed'),
      fn.sum<number | null>('ai_usage.input_tokens').as('input'),
      fn.sum<number | null>('ai_usage.output_tokens').as('output'),
      fn.avg<number>('ai_usage.latency_ms').as('latency'),
    ])
    .where('ai_usage.created_at', '>=', since)
    .groupBy(['ai_usage.user_id', 'users.email', 'ai_usage.capability', 'ai_usage.model'])
    .orderBy('calls', 'desc')
    .orderBy('ai_usage.model')
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    capability: row.capability,
    model: row.model,
    calls: Number(row.calls),
    failed: Number(row.failed),
    inputTokens: Number(row.input ?? 0),
    outputTokens: Number(row.output ?? 0),
    latencyMs: Math.round(Number(row.latency)),
  }));
}
