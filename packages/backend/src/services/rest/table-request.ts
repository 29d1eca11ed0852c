import type { Context } from 'hono';
import { z } from 'zod';
import type { Bus } from '../../core/bus.ts';
import type { Caller } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { Permission } from '../../database/permission.ts';
import type { Cascade, Clock, Database, WriteOutcome, WritePlan } from '../../database/port.ts';
import type { CompileContext } from '../../database/query/compile.ts';
import { unknownTable } from '../../database/schema.ts';
import { parseJsonBody } from '../../http/body.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { permissionOf, requirePermission } from './policy/authorize.ts';
import { type Preferences, parsePreferences } from './preferences.ts';
import type { ProjectTables } from './project-tables.ts';
import { type Parameters, parseParameters } from './read/parse.ts';

/** Of one write: room for a long text in five languages, in any script. */
const MAX_ROWS_BYTES = 4 * 1024 * 1024;

/** A request on one table, its parts taken apart but not yet judged. */
export interface TableRequest {
  context: CompileContext;
  database: Database;
  caller: Caller;
  parameters: Parameters;
  preferences: Preferences;
}

export interface WriteRequest extends TableRequest {
  permission: Permission;
  clock: Clock;
  /** The body as JSON. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON. */
  body(): Promise<unknown>;
  /** Every cascade among the project's tables. */
  cascades(): Promise<Cascade[]>;
  /** Columns of this table of which no two rows hold the same values, as declared or as the engine reports them. */
  uniqueKeys(): Promise<(readonly string[])[]>;
  /** Carries out the plan, and has its changes on the bus before it answers. */
  write(plan: WritePlan): Promise<WriteOutcome>;
}

/** Throws UNKNOWN_TABLE. */
function tableRequest(c: Context<AppEnvironment>, { schema }: ProjectTables): TableRequest {
  const { database } = c.var.project;
  const table = schema.get(c.req.param('table') ?? '');
  if (!table) throw unknownTable();
  return {
    context: { schema, table, syntax: database.syntax },
    database,
    caller: c.var.caller,
    parameters: parseParameters(c.req.url),
    preferences: parsePreferences({ header: (name) => c.req.header(name) }),
  };
}

/** Throws UNKNOWN_TABLE; UNAUTHENTICATED, FORBIDDEN or METHOD_NOT_ALLOWED where the operation is closed. */
export function writeRequest(
  c: Context<AppEnvironment>,
  { tables, bus, operation }: { tables: ProjectTables; bus: Bus; operation: 'create' | 'update' | 'delete' },
): WriteRequest {
  const request = tableRequest(c, tables);
  const { context, caller, database } = request;
  const permission = permissionOf(context.table, caller);
  requirePermission(permission[operation], caller);
  if (context.table.view) throw new AppError('METHOD_NOT_ALLOWED', 'This is a view: it can only be read.');
  return {
    ...request,
    permission,
    clock: { now: Date.now(), stampsBind: caller.kind !== 'service' },
    body: () => readBody(c),
    cascades: () => database.cascades([...context.schema.keys()]),
    async uniqueKeys() {
      const { name, onePer } = context.table;
      return [...(onePer ? [onePer] : []), ...(await database.uniqueKeys(name))];
    },
    async write(plan) {
      const outcome = await database.write(plan);
      for (const change of outcome.changes) {
        bus.publish({ projectId: c.var.project.definition.id, ...change });
      }
      return outcome;
    },
  };
}

async function readBody(c: Context<AppEnvironment>): Promise<unknown> {
  const type = c.req.header('content-type');
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Rows are sent as application/json.');
  }
  return parseJsonBody(c, z.unknown(), MAX_ROWS_BYTES);
}
