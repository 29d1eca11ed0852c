import type { Context } from 'hono';
import { z } from 'zod';
import type { Bus } from '../../../core/bus.ts';
import { type Caller, callerName } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import { equals } from '../../../core/filter.ts';
import type { Permission } from '../../../database/permission.ts';
import type { TablePlan, WriteClock, WriteOutcome } from '../../../database/port.ts';
import type { Project } from '../../../database/project.ts';
import { compileRows, compileSelect } from '../../../database/query/compile.ts';
import type { Statement } from '../../../database/query/query.ts';
import { type Schema, type TableSchema, unknownTable } from '../../../database/schema.ts';
import { invalidRow } from '../../../database/write/validate-row.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { permissionOf, requirePermission } from '../authorize.ts';
import { parseParameters, type QueryParameters } from '../read/parse.ts';
import { type Preferences, parsePreferences } from '../read/preferences.ts';
import type { LimitWrite, RequestLimits } from './write-limits.ts';

/** Bytes of a body: room for a long text in five languages, in any script. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A write on one table that the caller may attempt; its parameters and its body are not parsed yet. */
export interface WriteRequest {
  project: Project;
  schema: Schema;
  table: TableSchema;
  caller: Caller;
  permission: Permission;
  parameters: QueryParameters;
  preferences: Preferences;
  clock: WriteClock;
  bus: Bus;
  limits: RequestLimits;
  /** Returns the body as JSON. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON. */
  body(): Promise<unknown>;
}

interface AcceptOptions {
  schema: Schema;
  bus: Bus;
  operation: 'create' | 'update' | 'delete';
  limitWrite: LimitWrite;
}

/**
 * Returns the write of a request that is counted. Throws UNKNOWN_TABLE; UNAUTHENTICATED, FORBIDDEN or METHOD_NOT_ALLOWED
 * when the operation is closed; RATE_LIMITED.
 */
export async function acceptWriteRequest(
  c: Context<AppEnvironment>,
  { schema, bus, operation, limitWrite }: AcceptOptions,
): Promise<WriteRequest> {
  const { project, caller } = c.var;
  const table = schema.get(c.req.param('table') ?? '');
  if (!table) throw unknownTable();
  const parameters = parseParameters(c.req.url);
  const preferences = parsePreferences({ header: (name) => c.req.header(name) });
  const permission = permissionOf(table, caller);
  requirePermission(permission[operation], caller);
  if (table.view) throw new AppError('METHOD_NOT_ALLOWED', 'This is a view: it can only be read.');
  const clock = {
    now: Date.now(),
    callerName: caller.kind === 'service' ? undefined : callerName(caller),
    serverStamps: caller.kind !== 'service',
  };
  const { id: projectId, tables } = project.definition;
  const limits = limitWrite({
    ...{ projectId, table: table.name, caller },
    limits: tables[table.name]?.limits,
    clientIp: c.var.clientIp,
  });
  await limits.countRequest();
  const body = () => parseRowsBody(c);
  return { project, schema, table, caller, permission, parameters, preferences, clock, bus, limits, body };
}

/**
 * Runs the plan within the limits of the caller, and publishes its changes before it returns. The statements run in the same
 * transaction. Throws RATE_LIMITED, and VALIDATION_FAILED for what the table's own check finds.
 */
export async function runAndPublish(
  request: WriteRequest,
  plan: TablePlan,
  statements: readonly Statement[] = [],
): Promise<WriteOutcome> {
  const { project, bus, limits } = request;
  if (plan.kind === 'create') await limits.countSent(plan.rows, plan.kind);
  if (plan.kind === 'update') await limits.countSent([plan.changes], plan.kind);
  await checkRows(request, plan);
  const { quota } = limits;
  const outcome = await project.database.write(
    statements.length > 0 ? { kind: 'all', plans: [plan], statements, quota } : { ...plan, quota },
  );
  if (plan.kind === 'update') await limits.countUpdated(outcome.rows.length);
  for (const change of outcome.changes) bus.publish({ projectId: project.definition.id, ...change });
  return outcome;
}

async function checkRows({ project, schema, table }: WriteRequest, plan: TablePlan): Promise<void> {
  const { definition, database } = project;
  const { check } = definition.tables[table.name] ?? {};
  if (!check || plan.kind === 'delete') return;
  const context = { schema, table, syntax: database.syntax };
  const columns = [...table.columns.keys()];
  for (const row of plan.kind === 'create' ? plan.rows : [plan.changes]) {
    const stored = async () => {
      // Without a conflict target, a row takes the place of none: one with the id of another fails the write.
      if (plan.kind === 'create' && plan.conflictTarget === undefined) return [];
      const { sql, parameters } =
        plan.kind === 'create'
          ? compileRows(context, equals('id', String(row.id ?? '')), 1)
          : compileSelect(context, plan.query, { columns });
      return database.query(sql, parameters);
    };
    const faults = await check(row, stored);
    if (faults.length > 0) throw invalidRow(faults);
  }
}

/** Returns the body as JSON. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON. */
export async function parseRowsBody(c: Context<AppEnvironment>): Promise<unknown> {
  const type = c.req.header('content-type');
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Rows are sent as application/json.');
  }
  return parseJsonBody(c, z.unknown(), MAX_BODY_BYTES);
}
