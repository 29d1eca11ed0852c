import type { Caller } from '../../../core/caller.ts';
import { allOf, equals, not } from '../../../core/filter.ts';
import type { Project } from '../../../database/project.ts';
import { compileSelect } from '../../../database/query/compile.ts';
import type { Query, Statement } from '../../../database/query/query.ts';
import { OWNER_COLUMN } from '../../../database/schema.ts';
import type { WriteRequest } from './write-request.ts';

/** A row of a moderated table that somebody else than its owner removes. */
interface Removal {
  caller: Caller;
  table: string;
  row: string;
  owner: string;
}

/** Returns the statement that records a removal in the audit log. */
export type RecordRemoval = (project: Project, removal: Removal) => Statement;

/** Returns the statements that record which rows of others a deletion removes, to run in its transaction. */
export async function removalStatements(
  { project, schema, table, caller, permission }: WriteRequest,
  query: Query,
  record: RecordRemoval | undefined,
): Promise<Statement[]> {
  if (!record || !project.definition.tables[table.name]?.moderated || !permission.delete) return [];
  const { database } = project;
  const others = caller.kind === 'user' ? [not(equals(OWNER_COLUMN, caller.id))] : [];
  const filter = allOf(query.filter, permission.delete, ...others);
  const context = { schema, table, syntax: database.syntax };
  const { sql, parameters } = compileSelect(context, { ...query, filter }, { columns: ['id', OWNER_COLUMN] });
  const rows = await database.query(sql, parameters);
  return rows.map(({ id, [OWNER_COLUMN]: owner }) =>
    record(project, { caller, table: table.name, row: String(id), owner: String(owner) }),
  );
}
