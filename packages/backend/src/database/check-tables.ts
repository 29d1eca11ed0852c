import type { Transaction } from 'kysely';
import type { Filter } from '../core/filter.ts';
import type { AccountRule, Column, ProjectDefinition, RowPolicy } from '../core/project.ts';
import type { Database, EngineColumn } from './port.ts';
import { OWNER_COLUMN, PSEUDONYM_BYTES, type Schema, schemaOf, type TableSchema } from './schema.ts';
import { validateColumns } from './write/validate-row.ts';

interface CheckOptions {
  isNewer?: boolean;
  /** The transaction whose tables are checked; by default, those that are committed. */
  transaction?: Transaction<unknown> | undefined;
}

/**
 * Throws an error that names every difference between the tables of a project and its database. One that a newer version has
 * changed may have more columns.
 */
export async function checkTables(
  definition: ProjectDefinition,
  database: Database,
  { isNewer = false, transaction }: CheckOptions = {},
): Promise<void> {
  const schema = schemaOf(definition);
  const faults: string[] = [];
  for (const table of schema.values()) {
    const columns = await database.columns(table.name, transaction);
    faults.push(
      ...columnFaults(table, columns),
      ...(isNewer ? [] : surplusFaults(table, columns)),
      ...policyFaults(schema, table),
    );
  }
  faults.push(...accountRuleFaults(definition, schema));
  if (faults.length === 0) return;
  throw new Error(
    `Project "${definition.id}" and its database differ:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

function columnFaults(table: TableSchema, found: readonly EngineColumn[]): string[] {
  if (found.length === 0) return [`table "${table.name}" is not in the database`];
  const named = new Map(found.map((column) => [column.name, column]));
  return [...table.columns].flatMap(([name, rule]) => {
    const column = named.get(name);
    const subject = `column "${table.name}.${name}"`;
    if (!column) return [`${subject} is not in the database`];
    return differences(rule, column, table.view).map((difference) => `${subject} ${difference}`);
  });
}

function surplusFaults(table: TableSchema, found: readonly EngineColumn[]): string[] {
  const unnamed = found.filter(({ name }) => !table.columns.has(name));
  return unnamed.map(({ name }) => `column "${table.name}.${name}" is not in the definition`);
}

/** Compares a rule with its column. Engines do not know which columns of a view may be null, nor the types of all. */
function differences(rule: Column, column: EngineColumn, view: boolean): string[] {
  const faults: string[] = [];
  if (rule.type !== column.type && !(view && column.type === 'none'))
    faults.push(`is defined as ${rule.type} and is ${column.type} in the database`);
  if (!view && (rule.nullable ?? false) !== column.nullable) {
    faults.push(
      `${rule.nullable ? 'may' : 'may not'} be null as defined, and ${column.nullable ? 'may' : 'may not'} in the database`,
    );
  }
  return faults;
}

function policyFaults(schema: Schema, table: TableSchema): string[] {
  const keys = (table.onePer ?? []).filter((column) => !table.columns.has(column));
  const faults = keys.map(
    (column) => `"onePer" of table "${table.name}" names "${column}", which it does not have`,
  );
  for (const [role, policy] of table.policies) {
    const unknown = new Set(namesMissing(schema, table, policy));
    for (const name of unknown)
      faults.push(`the policy of "${role}" on table "${table.name}" names ${name}, which is not defined`);
  }
  return faults;
}

/** Checks `whenAccountIsDeleted` at the start, rather than when the first account is deleted. */
function accountRuleFaults({ whenAccountIsDeleted = {} }: ProjectDefinition, schema: Schema): string[] {
  return Object.entries(whenAccountIsDeleted).flatMap(([name, rule]) => {
    const fault = accountRuleFault(schema.get(name), rule);
    return fault ? [`"whenAccountIsDeleted" of table "${name}" ${fault}`] : [];
  });
}

function accountRuleFault(table: TableSchema | undefined, rule: AccountRule): string | undefined {
  if (!table || table.view || !table.columns.has(OWNER_COLUMN)) {
    return `is about no table with a column "${OWNER_COLUMN}"`;
  }
  if (rule === 'delete') return undefined;
  if (rule.set[OWNER_COLUMN] === undefined) return `leaves "${OWNER_COLUMN}" as it is`;
  if (table.onePer?.includes(OWNER_COLUMN))
    return 'would give rows of two accounts the same values of "onePer"';
  try {
    const owner = rule.set[OWNER_COLUMN];
    const ending = `_${'0'.repeat(2 * PSEUDONYM_BYTES)}`;
    const set = { ...rule.set, [OWNER_COLUMN]: owner === null ? null : `${owner}${ending}` };
    validateColumns(table, set, { clock: { now: Date.now(), serverStamps: false } });
    return undefined;
  } catch (error) {
    return `sets what the table does not take: ${(error as Error).message}`;
  }
}

function namesMissing(
  schema: Schema,
  table: TableSchema,
  { read, create, update, delete: remove }: RowPolicy,
): string[] {
  const filters = [read, create, update?.where, remove].filter((filter) => filter !== undefined);
  const columns = (update?.columns ?? [])
    .filter((column) => !table.columns.has(column))
    .map((name) => `"${name}"`);
  return [...columns, ...filters.flatMap((filter) => missingIn(schema, table, filter))];
}

function missingIn(schema: Schema, table: TableSchema, filter: Filter): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap((inner) => missingIn(schema, table, inner));
    case 'not':
      return missingIn(schema, table, filter.of);
    case 'through': {
      const target = schema.get(filter.table);
      const inner = target ? missingIn(schema, target, filter.where) : [`table "${filter.table}"`];
      return [...missingColumn(table, filter.column), ...inner];
    }
    case 'permitted':
      return [];
    default:
      return missingColumn(table, filter.column);
  }
}

function missingColumn(table: TableSchema, column: string): string[] {
  return table.columns.has(column) ? [] : [`column "${table.name}.${column}"`];
}
